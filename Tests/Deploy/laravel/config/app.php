<?php

return [
    'name' => 'desk', 'env' => 'production', 'debug' => true, 'timezone' => 'UTC',
    'locale' => 'en', 'aliases' => [],
    'providers' => [
        Illuminate\Cache\CacheServiceProvider::class,
        Illuminate\Database\DatabaseServiceProvider::class,
        Illuminate\Filesystem\FilesystemServiceProvider::class,
        Illuminate\Foundation\Providers\ConsoleSupportServiceProvider::class,
        Illuminate\Queue\QueueServiceProvider::class,
        Seedbed\Laravel\ServiceProvider::class, // which Laravel finds by itself if Composer got both
    ],
];
