/**
 * The tables, one text of statements per version. `runs` holds what a run was asked and what became of it, `effects`
 * the tool calls that were begun, `events` what readers are told, `workers` who lives.
 */
export const MIGRATIONS: readonly string[] = [
  `create schema if not exists toolwright;

   create table toolwright.durable_schema (id integer primary key, version integer not null);

   create table toolwright.durable_secret (id integer primary key, secret text not null);

   create table toolwright.runs (
     number bigserial not null,
     run_id text primary key,
     client text not null,
     status text not null,
     segment integer not null default 0,
     workflow_id text not null,
     input text not null,
     input_hash text not null,
     conversation text,
     decisions text,
     decided_by text,
     result text,
     pending text,
     error text,
     refusal text,
     undo_block text,
     created_at timestamptz not null default now(),
     updated_at timestamptz not null default now()
   );
   create unique index runs_number on toolwright.runs (number);
   create index runs_status on toolwright.runs (status, number);
   create index runs_undo_block on toolwright.runs (number) where undo_block is not null;
   create index runs_ended on toolwright.runs (updated_at)
     where status in ('done', 'limit', 'failed', 'cancelled');

   create table toolwright.effects (
     number bigserial not null,
     workflow_id text not null,
     step text not null,
     run_id text not null,
     call_id text not null,
     tool text not null,
     effect text not null,
     undoable boolean not null,
     input text,
     definition text,
     token text not null,
     primary key (run_id, workflow_id, step)
   );

   create table toolwright.events (
     run_id text not null,
     first integer not null,
     segment integer not null,
     events text not null,
     writer text not null,
     primary key (run_id, first)
   );

   create table toolwright.workers (
     executor_id text primary key,
     session text not null,
     beats bigint not null default 0,
     stopped boolean not null default false,
     at timestamptz not null default now()
   );`,
]
