create table if not exists agent_hooks_limit (
	hook varchar(64) not null,
	limit_key varchar(64) not null,
	over_at bigint not null,
	kept text not null,
	primary key (hook, limit_key)
);
create index if not exists agent_hooks_limit_over on agent_hooks_limit (over_at);
create index if not exists agent_hooks_limit_hook on agent_hooks_limit (hook, over_at);
