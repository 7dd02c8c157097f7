<?php

declare(strict_types=1);

namespace Seedbed;

/**
 * A database to which rows are shipped, and in which users change them.
 *
 *     (new Seedbed\Database('app.sqlite', 'Migrations'))->up();
 *
 * The first argument is a path, or a postgresql:// URL. Each call returns the document that
 * `seedbed VERB --json` prints, as an array. Options are named arguments: `noBackup: true` is
 * --no-backup. Options that are unknown are refused.
 */
final class Database
{
    /**
     * @param string      $catalog   the folder of all releases
     * @param string|null $interface "extension" works in this process, "program" in another one;
     *                               null takes the extension where it can be loaded, and can do it
     * @param array       $options   of all verbs, such as ['lockTimeout' => 30]
     */
    public function __construct(
        public readonly string $path,
        public readonly string $catalog = 'Migrations',
        private readonly ?string $interface = null,
        private readonly array $options = [],
    ) {
        if (!in_array($interface, [null, 'extension', 'program'], true)) {
            $remedy = "Write 'extension' or 'program'.";
            throw Error::of("'$interface' is no interface. $remedy", 'usage');
        }
    }

    /**
     * Applies the pending releases. `progress` is a function that gets an array of "fraction",
     * "phase", "table" and "rows", at most 30 times a second, which takes the program. If it
     * throws, the release that is being applied is rolled back.
     */
    public function up(mixed ...$options): array
    {
        return $this->call('up', [], ...$options);
    }

    /** Does all that `up` would do, and rolls it back: the conflicts before they happen. */
    public function plan(mixed ...$options): array
    {
        return $this->call('plan', [], ...$options);
    }

    /** Takes back all releases above a version, after a backup. */
    public function down(int $to, mixed ...$options): array
    {
        return $this->call('down', [$to], ...$options);
    }

    public function status(mixed ...$options): array
    {
        return $this->call('status', [], ...$options);
    }

    public function verify(mixed ...$options): array
    {
        return $this->call('verify', [], ...$options);
    }

    /** The log of conflicts, the oldest first; with `open: true` those that are not settled. */
    public function conflicts(mixed ...$options): array
    {
        return $this->call('conflicts', [], ...$options);
    }

    /** Settles conflicts by their ids, for the user ("mine") or the release ("seed"). */
    public function resolve(int|array $ids, string $side, mixed ...$options): array
    {
        return $this->call('resolve', [(array) $ids, $side], ...$options);
    }

    /** Leaves a row to the user for good. The key is a value, a list, or an array of columns. */
    public function pin(string $table, mixed $key, mixed ...$options): array
    {
        return $this->call('pin', [$table, (array) $key], ...$options);
    }

    public function unpin(string $table, mixed $key, mixed ...$options): array
    {
        return $this->call('unpin', [$table, (array) $key], ...$options);
    }

    /** Whether a row is the seed's or the user's, and its values in the catalog. */
    public function origin(string $table, mixed $key, mixed ...$options): array
    {
        return $this->call('origin', [$table, (array) $key], ...$options);
    }

    /** The rows of the catalog that are not in the database, and why; of one table or of all. */
    public function absent(?string $table = null, mixed ...$options): array
    {
        return $this->call('absent', [$table], ...$options);
    }

    /**
     * Puts a row back as the catalog has it, whatever the user did to it. Without a key and with
     * `missing: true`, all rows that are absent, of the table or of all.
     */
    public function reseed(?string $table = null, mixed $key = null, mixed ...$options): array
    {
        $isMissing = $options['missing'] ?? false;
        if (($key === null) !== $isMissing || ($table === null && $key !== null)) {
            $remedy = 'Give a table and the key of a row, or missing: true for all absent rows.';
            throw Error::of($remedy, 'usage');
        }
        return $this->call('reseed', [$table, $key === null ? null : (array) $key], ...$options);
    }

    /**
     * Gives a new owner, by its key, a copy of the rows of each table with the option "per". It
     * uses a connection of its own: commit the owner first. `up` fills owners that have no copy.
     */
    public function fill(int|string $owner, mixed ...$options): array
    {
        // A text that begins like JSON would be read as JSON.
        return $this->call('fill', [[$owner]], ...$options);
    }

    /** Any other verb that works on a database, with its operands. */
    public function call(string $verb, array $operands = [], mixed ...$options): array
    {
        if (array_filter(array_keys($options), is_int(...))) {
            throw Error::of("An option of '$verb' has no name. Write it as in to: 2.", 'usage');
        }
        $options += $this->options;
        $progress = $options['progress'] ?? null;
        unset($options['progress']);
        $reason = $progress ? 'it reports no progress' : Extension::reason($verb, $this->path);
        $isForced = $this->interface === 'extension';
        if ($isForced && $reason) {
            $remedy = 'Leave the interface out.';
            throw Error::of("The extension cannot do this: $reason. $remedy", 'usage');
        }
        return $reason || $this->interface === 'program'
            ? Program::call($verb, $this->path, $this->catalog, $operands, $options, $progress)
            : Extension::call($verb, $this->path, $this->catalog, $operands, $options);
    }

    /** The same database by another interface. */
    public function by(?string $interface): self
    {
        return new self($this->path, $this->catalog, $interface, $this->options);
    }

    /** What does the work of a verb: "extension" or "program". */
    public function interface(string $verb = 'up'): string
    {
        $reason = Extension::reason($verb, $this->path);
        return $reason || $this->interface === 'program' ? 'program' : 'extension';
    }
}
