create table if not exists agent_hooks_approval_schema (
	version integer not null primary key
);
insert into agent_hooks_approval_schema (version)
	select 10 where not exists (select 1 from agent_hooks_approval_schema);
create table if not exists agent_hooks_approval_owner (
	application varchar(64) not null primary key,
	name varchar(300) not null,
	main_class varchar(500) not null
);
create table if not exists agent_hooks_approval (
	application varchar(64) not null,
	id varchar(64) not null,
	open_key varchar(128) unique,
	session_key varchar(64) not null,
	fingerprint varchar(128) not null,
	state varchar(16) not null,
	revision integer not null,
	expires_at timestamp(6) with time zone not null,
	changed_at timestamp(6) with time zone not null,
	remembered_until timestamp(6) with time zone,
	tool_key varchar(128),
	request character large object not null,
	primary key (application, id)
);
create index if not exists agent_hooks_approval_state on agent_hooks_approval (application, state, expires_at);
create index if not exists agent_hooks_approval_changed on agent_hooks_approval (changed_at);
create index if not exists agent_hooks_approval_fingerprint on agent_hooks_approval (fingerprint);
create index if not exists agent_hooks_approval_tool on agent_hooks_approval (tool_key);
create index if not exists agent_hooks_approval_session on agent_hooks_approval (session_key);
create table if not exists agent_hooks_approval_call (
	id varchar(64) not null primary key,
	asked_key varchar(128) not null,
	run_key varchar(64),
	turn_id varchar(64),
	reply character large object,
	changed_at timestamp(6) with time zone not null
);
create index if not exists agent_hooks_approval_call_asked on agent_hooks_approval_call (asked_key);
create index if not exists agent_hooks_approval_call_run on agent_hooks_approval_call (run_key);
create index if not exists agent_hooks_approval_call_turn on agent_hooks_approval_call (turn_id);
create index if not exists agent_hooks_approval_call_changed on agent_hooks_approval_call (changed_at);
create table if not exists agent_hooks_approval_turn (
	id varchar(64) not null primary key,
	turn character large object not null,
	progress varchar(16) not null,
	continuations integer not null,
	attempts integer not null,
	calls integer not null,
	owner varchar(64),
	lease_until timestamp(6) with time zone,
	answer character large object,
	changed_at timestamp(6) with time zone not null
);
create index if not exists agent_hooks_approval_turn_changed on agent_hooks_approval_turn (changed_at);
create index if not exists agent_hooks_approval_turn_progress on agent_hooks_approval_turn (progress, lease_until);
