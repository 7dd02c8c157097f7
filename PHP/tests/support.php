<?php

declare(strict_types=1);

/** A folder of its own for a test, and what must be the same. */
function in_a_folder(callable $test): void
{
    $folder = sys_get_temp_dir() . '/a folder ' . bin2hex(random_bytes(4));
    mkdir($folder);
    chdir($folder);
    $test();
    chdir('/');
    run('rm', '-r', $folder);
}

function same(mixed $wanted, mixed $found, string $what = ''): void
{
    if ($wanted !== $found) {
        throw new Exception("$what: " . json_encode($found) . ', and not ' . json_encode($wanted));
    }
}

function matches(string $pattern, string $found): void
{
    same(1, preg_match($pattern, $found), "'$found' for $pattern");
}

/** The error of a call that must fail. */
function refused(callable $call, string $pattern): Seedbed\Error
{
    try {
        $call();
    } catch (Seedbed\Error $error) {
        matches($pattern, $error->getMessage());
        return $error;
    }
    throw new Exception("$pattern was not refused");
}

/** What a program prints; it must end with the code. */
function run(string ...$words): string
{
    return ends(0, ...$words);
}

function ends(int $code, string ...$words): string
{
    $streams = [['file', '/dev/null', 'r'], ['pipe', 'w'], ['redirect', 1]];
    $process = proc_open($words, $streams, $pipes);
    $said = stream_get_contents($pipes[1]);
    same($code, proc_close($process), implode(' ', $words) . ": $said");
    return trim($said);
}
