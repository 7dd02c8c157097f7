<?php

$more = ['url' => env('DATABASE_URL'), 'prefix' => ''];
return [
    'default' => 'sqlite',
    'migrations' => 'migrations',
    // The URL names the driver of either engine.
    'connections' => ['sqlite' => $more + ['driver' => 'sqlite', 'database' => 'desk.sqlite']],
];
