<?php

declare(strict_types=1);

namespace Seedbed;

/** The program, which works in a process of its own. */
final class Program
{
    // They are the command's: a call names its database itself.
    private const OF_COMMAND = ['MIGRATE_DATABASE', 'MIGRATE_BACKUPS', 'DATABASE_URL'];

    /** The one that is named by SEEDBED_PROGRAM, or that of this package. */
    public static function path(): string
    {
        $platform = self::platform();
        $path = getenv('SEEDBED_PROGRAM') ?: dirname(__DIR__) . "/libexec/$platform/seedbed";
        if (!is_file($path)) {
            throw Error::of(
                "There is no program '$path'. If this package has none for $platform, build it, "
                . 'and name it in SEEDBED_PROGRAM.');
        }
        // An unpacker may have lost it.
        if (!is_executable($path) && !@chmod($path, 0755)) {
            throw Error::of("'$path' may not be executed. Allow it: chmod +x.");
        }
        return $path;
    }

    /** What this machine is called in the package, such as x86_64-linux. */
    public static function platform(): string
    {
        return php_uname('m') . '-' . strtolower(PHP_OS_FAMILY);
    }

    public static function call(
        string $verb, string $database, string $catalog, array $operands, array $options,
        ?callable $progress = null,
    ): array {
        [$flags, $rest] = self::operands($verb, $operands);
        [$words, $environment] = self::arguments($database, $catalog, $options);
        $words = [$verb, ...$words, ...$flags, '--json'];
        $words = [...$words, '--progress=' . ($progress ? 'json' : 'none'), '--', ...$rest];
        [$code, $text, $said] = self::run($words, $environment, $progress);
        $document = json_decode($text, true);
        if (!is_array($document)) {
            throw Error::of(trim("The program ended with $code and no answer. $said"));
        }
        return isset($document['error']) ? throw new Error($document, $code) : $document;
    }

    /**
     * The arguments and the environment by which the program finds database, catalog and options.
     * Everybody on the machine can read arguments, and a URL may have a password.
     */
    public static function arguments(string $database, string $catalog, array $options): array
    {
        $environment = array_diff_key(getenv(), array_flip(self::OF_COMMAND));
        $words = ["--migrations=$catalog"];
        if (str_contains($database, '://')) {
            $environment['MIGRATE_DATABASE'] = $database;
            if (isset($options['database'])) {
                throw Error::of("'database' is the first argument. Leave the option out.", 'usage');
            }
        } else {
            $words[] = "--database=$database";
        }
        foreach ($options as $name => $value) {
            $flag = '--' . self::kebab($name);
            foreach ($value === false ? [] : (array) $value as $each) {
                $words[] = $each === true ? $flag : "$flag=$each";
            }
        }
        return [$words, $environment];
    }

    public static function kebab(string $name): string
    {
        return strtolower(preg_replace('/[A-Z]/', '-$0', strtr($name, '_', '-')));
    }

    /** Flags and operands. */
    private static function operands(string $verb, array $operands): array
    {
        return match ($verb) {
            'down' => [["--to=$operands[0]"], []],
            'resolve' => [["--$operands[1]"], array_map(strval(...), $operands[0])],
            'pin', 'unpin', 'origin' => [[], [$operands[0], self::line($operands[1])]],
            'absent' => [[], array_filter($operands, is_string(...))],
            'reseed' => [[], [
                ...array_filter([$operands[0]], is_string(...)),
                ...array_map(
                    self::line(...), array_filter([$operands[1] ?? null], is_array(...)))]],
            'fill' => [[], array_map(strval(...), $operands[0])],
            default => [[], array_map(strval(...), $operands)],
        };
    }

    /** A row's key, as in the row files. */
    private static function line(array $key): string
    {
        $isQuoted = fn (string $value) => $value === '' || strpbrk($value, ",\"\r\n") !== false;
        return array_is_list($key)
            ? implode(',', array_map(
                fn (string $value) => $isQuoted($value)
                    ? '"' . str_replace('"', '""', $value) . '"' : $value,
                array_map(strval(...), $key)))
            : json_encode($key, JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE);
    }

    /** Its exit code, its answer, and what else it said. */
    private static function run(array $words, array $environment, ?callable $progress): array
    {
        if (!function_exists('proc_open')) {
            throw Error::of('PHP may start no program: proc_open is disabled. Load the extension.');
        }
        $output = tmpfile();
        $streams = [['file', '/dev/null', 'r'], $output, ['pipe', 'w']];
        $command = [self::path(), ...$words];
        if (str_contains(implode($command), "\0")) {
            throw Error::of('An argument has a NUL in it. Pass another.', 'usage');
        }
        $process = @proc_open($command, $streams, $pipes, null, $environment);
        if (!$process) {
            throw Error::of("'$command[0]' cannot be run: " . (error_get_last()['message'] ?? '?'));
        }
        $said = '';
        try {
            while (($line = fgets($pipes[2])) !== false) {
                if (str_starts_with($line, '{')) {
                    $progress && $progress(json_decode($line, true));
                } else {
                    $said .= $line;
                }
            }
        } catch (\Throwable $error) {
            proc_terminate($process);
            throw $error;
        } finally {
            fclose($pipes[2]);
            $code = proc_close($process);
        }
        rewind($output);
        return [$code, stream_get_contents($output), $said];
    }
}
