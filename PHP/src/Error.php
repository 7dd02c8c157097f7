<?php

declare(strict_types=1);

namespace Seedbed;

/**
 * A call that failed. Nothing is left half done. `errorCode` is what a program decides by, such as
 * "busy"; `applied` lists the releases that were finished before; `exitCode` is the program's.
 */
final class Error extends \RuntimeException
{
    public readonly string $errorCode;
    public readonly ?string $catalogFile;
    public readonly ?int $catalogLine;
    public readonly ?int $version;
    public readonly array $applied;
    public readonly bool $databaseUnchanged;

    public function __construct(public readonly array $json, public readonly ?int $exitCode = null)
    {
        $error = $json['error'];
        $this->errorCode = $error['code'];
        $this->catalogFile = $error['file'];
        $this->catalogLine = $error['line'];
        $this->version = $error['version'];
        $this->applied = $json['applied'];
        $this->databaseUnchanged = $json['databaseUnchanged'];
        $place = array_filter([$error['file'], $error['line'], $error['column']]);
        parent::__construct(implode(': ', array_filter([implode(':', $place), $error['message']])));
    }

    /** An error of this package, in the form of the program's. */
    public static function of(string $message, string $code = 'io'): self
    {
        $nothing = array_fill_keys(['file', 'line', 'column', 'version'], null);
        $error = ['code' => $code, 'message' => $message] + $nothing;
        return new self(['error' => $error, 'databaseUnchanged' => true, 'applied' => []]);
    }
}
