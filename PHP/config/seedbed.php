<?php

return [
    // The folder of all releases.
    'catalog' => base_path('Migrations'),

    // A connection of config/database.php, on SQLite or PostgreSQL; null is the default one.
    'connection' => null,

    // Options of all verbs, such as ['lock-timeout' => 30].
    'options' => [],

    // Options of `seedbed:up` alone. A server needs MIGRATE_BACKUP_COMMAND in the environment, or
    // ['no-backup' => true] if it is backed up anyway.
    'up' => [],
];
