-- Before this version, deleting an agent left its live calls as they were. They kept every MCP server in use that they refer to.
UPDATE `calls` SET
	`state` = 'cancelled',
	`reason` = 'agent_deleted',
	`revision` = `calls`.`revision` + 1,
	`ended_at` = max(`calls`.`created_at`, `agents`.`deleted_at`),
	`updated_at` = max(`calls`.`updated_at`, `agents`.`deleted_at`)
FROM `agents`
WHERE `agents`.`organisation_id` = `calls`.`organisation_id` AND `agents`.`id` = `calls`.`agent_id`
	AND `agents`.`deleted_at` IS NOT NULL AND `calls`.`ended_at` IS NULL;
