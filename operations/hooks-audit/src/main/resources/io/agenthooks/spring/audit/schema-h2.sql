create table if not exists hooks_audit (
	node varchar(64) not null,
	record_number bigint not null,
	recorded_at timestamp(3) with time zone not null,
	kind varchar(32) not null,
	line character large object not null,
	primary key (node, record_number)
);
