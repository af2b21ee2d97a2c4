create table if not exists hooks_audit (
	node varchar(64) not null,
	record_number bigint not null,
	recorded_at timestamptz not null,
	kind varchar(32) not null,
	line text not null,
	primary key (node, record_number)
);
