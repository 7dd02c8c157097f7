<?php

declare(strict_types=1);

namespace Seedbed\Laravel;

use Illuminate\Support\Facades\DB;
use Seedbed\Database;
use Seedbed\Error;

/** Makes Seedbed\Database from the settings, and adds artisan's commands. */
final class ServiceProvider extends \Illuminate\Support\ServiceProvider
{
    private const SETTINGS = __DIR__ . '/../../config/seedbed.php';
    // Of a connection, by their names in Laravel, what libpq knows.
    private const PARAMETERS = [
        'host' => 'host', 'port' => 'port', 'database' => 'dbname', 'username' => 'user',
        'password' => 'password', 'sslmode' => 'sslmode', 'sslcert' => 'sslcert',
        'sslkey' => 'sslkey', 'sslrootcert' => 'sslrootcert'];

    public function register(): void
    {
        $this->mergeConfigFrom(self::SETTINGS, 'seedbed');
        $this->app->singleton(Database::class, fn () => new Database(
            self::path(DB::connection(config('seedbed.connection'))->getConfig()),
            config('seedbed.catalog'), options: config('seedbed.options')));
    }

    public function boot(): void
    {
        $this->publishes([self::SETTINGS => config_path('seedbed.php')], 'seedbed');
        $this->commands([UpCommand::class, RunCommand::class]);
    }

    /** The path, or the URL, of a connection. */
    public static function path(array $settings): string
    {
        if ($settings['driver'] === 'sqlite') {
            return $settings['database'];
        }
        if ($settings['driver'] !== 'pgsql') {
            throw Error::of(
                "Seedbed is for SQLite and PostgreSQL, and not for '$settings[driver]'. "
                . 'Name another connection in config/seedbed.php.', 'usage');
        }
        $words = [];
        foreach (self::PARAMETERS as $name => $parameter) {
            if (($settings[$name] ?? '') !== '') {
                $words[] = $parameter . '=' . rawurlencode((string) $settings[$name]);
            }
        }
        // 'schema' is Laravel 8's name for it.
        $path = $settings['search_path'] ?? $settings['schema'] ?? 'public';
        $path = is_array($path) ? $path : preg_split('/[\s,"\']+/', $path, 0, PREG_SPLIT_NO_EMPTY);
        $path = implode(',', array_map(fn ($each) => '"' . addcslashes($each, '\\ ') . '"', $path));
        $words[] = 'options=' . rawurlencode("-csearch_path=$path");
        return 'postgresql:///?' . implode('&', $words);
    }
}
