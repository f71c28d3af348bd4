-- Runs of both tool types report the same code for a time-out.
UPDATE `tool_runs` SET `error` = json_set(`error`, '$.code', 'TIMED_OUT') WHERE `error` ->> '$.code' = 'TIMEOUT';
