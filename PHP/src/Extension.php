<?php

declare(strict_types=1);

namespace Seedbed;

/** The extension of SQLite, which works in this process, on a connection of its own. */
final class Extension
{
    public const VERSION = '0.1.0';
    private const VERBS = [
        'up', 'plan', 'status', 'down', 'resolve', 'pin', 'unpin', 'origin', 'absent', 'reseed',
        'fill'];

    /** Why it cannot do a verb on a database, or null. */
    public static function reason(string $verb, string $path): ?string
    {
        if (str_contains($path, '://')) {
            return 'it does not reach servers';
        }
        if (!in_array($verb, self::VERBS, true)) {
            return "it has no '$verb'";
        }
        if (!is_file($path)) {
            return "it creates no database, and there is none at '$path'";
        }
        static $found = [];
        return ($found[self::file()] ??= [self::tried()])[0];
    }

    public static function call(
        string $verb, string $path, string $catalog, array $operands, array $options,
    ): array {
        // The options are the last argument, also where a table or key is left out.
        $operands = array_pad($operands, ['absent' => 1, 'reseed' => 2][$verb] ?? 0, null);
        $options = array_filter($options, fn ($value) => $value !== null);
        $names = array_map(Program::kebab(...), array_keys($options));
        $options = (object) array_combine($names, $options);
        $marks = implode(', ', array_map(self::literal(...), [$catalog, ...$operands, $options]));
        try {
            $ask = self::opened($path);
            try {
                $text = $ask("SELECT seedbed_$verb($marks)");
            } catch (\Exception $error) {
                $text = $ask('SELECT seedbed_last_error()') ?? throw $error;
            }
        } catch (\Exception $error) {
            throw $error instanceof Error ? $error : Error::of($error->getMessage());
        }
        $document = json_decode($text, true);
        return isset($document['error']) ? throw new Error($document) : $document;
    }

    private static function folder(): string
    {
        return dirname(__DIR__) . '/lib/' . Program::platform();
    }

    /** PDO from PHP 8.4 on loads a file from anywhere, and SQLite3 from its folder alone. */
    private static function file(): string
    {
        return (class_exists(\Pdo\Sqlite::class) ? self::folder()
            : ini_get('sqlite3.extension_dir')) . '/seedbed.so';
    }

    private static function tried(): ?string
    {
        $file = self::file();
        if (!is_file($file)) {
            return class_exists(\Pdo\Sqlite::class) ? "there is no '$file'"
                : "sqlite3.extension_dir in php.ini does not name '" . self::folder() . "'";
        }
        try {
            $version = self::opened(':memory:')('SELECT seedbed_version()');
        } catch (\Throwable $error) {
            return rtrim($error->getMessage(), '.');
        }
        return $version === self::VERSION ? null : "'$file' is version $version";
    }

    /** A function that asks a new connection for a value. */
    private static function opened(string $path): callable
    {
        if (class_exists(\Pdo\Sqlite::class)) {
            $mode = [\PDO::ATTR_ERRMODE => \PDO::ERRMODE_EXCEPTION];
            $pdo = new \Pdo\Sqlite("sqlite:$path", null, null, $mode);
            $pdo->loadExtension(self::file());
            return fn (string $sql) => $pdo->query($sql)->fetchColumn();
        }
        $app = new \SQLite3($path, SQLITE3_OPEN_READWRITE);
        $app->enableExceptions(true);
        $app->loadExtension(basename(self::file()));
        // Not query(), which would run the call twice.
        return fn (string $sql) => $app->querySingle($sql);
    }

    /** A value in SQL: a number, a text, or JSON. */
    private static function literal(mixed $value): string
    {
        if (is_int($value) || $value === null) {
            return (string) ($value ?? 'NULL');
        }
        $text = is_string($value) ? $value
            : json_encode($value, JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE);
        if (str_contains($text, "\0")) {
            throw Error::of('An argument has a NUL in it. Pass another.', 'usage');
        }
        return "'" . str_replace("'", "''", $text) . "'";
    }
}
