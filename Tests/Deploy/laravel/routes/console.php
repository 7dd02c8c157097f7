<?php

use Illuminate\Support\Facades\Artisan;
use Illuminate\Support\Facades\DB;
use Symfony\Component\Process\Process;

Artisan::command('deploy', function () {
    if ($code = $this->call('migrate', ['--force' => true])) {
        return $code;
    }
    $db = DB::connection()->getConfig();
    $environment = $db['driver'] === 'sqlite'
        ? ['MIGRATE_DATABASE' => $db['database']]
        : ['MIGRATE_DATABASE' => 'postgresql://', 'PGDATABASE' => $db['database'],
           'PGHOST' => $db['host'], 'PGPORT' => $db['port'],
           'PGUSER' => $db['username'], 'PGPASSWORD' => $db['password']];
    $up = new Process(['seedbed', 'up', '--must-exist'], base_path(), $environment, null, null);
    return $up->run(fn ($type, $text) => $this->output->write($text));
})->purpose('Brings the schema up to date, and then the rows');
