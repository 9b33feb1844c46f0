import { UsageError } from '../usage-error.ts';

/** Meanings of error codes. A missing file (ENOENT) is not among them: each command says which file it needs. */
const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission is denied',
  EADDRINUSE: 'another process listens there already',
  EADDRNOTAVAIL: 'this machine has no such address',
  EBUSY: 'it is in use',
  EDQUOT: 'the disk quota is used up',
  EEXIST: 'a part of the path is a file, not a folder',
  EFBIG: 'the file would be too large',
  EIO: 'the device reports an error',
  EISDIR: 'it is a folder, not a file',
  ELOOP: 'its symbolic links form a loop',
  EMFILE: 'too many files are open',
  ENAMETOOLONG: 'the name is too long',
  ENFILE: 'too many files are open',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of the path is a file, not a folder',
  EPERM: 'the operation is not permitted',
  EROFS: 'the file system is read-only',
};

/** Returns why the operating system refused, in words; undefined for every other error. */
export function systemReason(error: unknown): string | undefined {
  const { code } = (error ?? {}) as NodeJS.ErrnoException;
  return code !== undefined && Object.hasOwn(REASONS, code) ? REASONS[code] : undefined;
}

/**
 * Returns one sentence for an error of the operating system, with its path or address; undefined for every other error.
 * @example systemSentence(error) // 'reports/run.json: the disk is full'
 */
export function systemSentence(error: unknown): string | undefined {
  const reason = systemReason(error);
  if (reason === undefined) return undefined;
  const { path, address, port } = error as NodeJS.ErrnoException & { address?: string; port?: number };
  const place = path ?? (port === undefined ? address : `${address ?? ''}:${port}`);
  return place === undefined ? reason : `${place}: ${reason}`;
}

/** Returns the error of a server that cannot listen: a UsageError if the user can choose another port, else the error itself. */
export function listenError(port: number, error: unknown, flag = '--port'): unknown {
  const reason = systemReason(error);
  return reason === undefined || (error as NodeJS.ErrnoException).syscall !== 'listen'
    ? error
    : new UsageError(`${flag} ${port}: ${reason}; choose another port, or 0 for any free one`);
}
