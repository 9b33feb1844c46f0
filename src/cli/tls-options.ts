/** The flags of a server that serves HTTPS. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Simulator, SimulatorOptions } from '../../simulator/server.ts';
import { writeNamedFile } from '../atomic-write.ts';
import type { FlagValues } from '../config/flag.ts';
import { systemReason } from '../terminal/system-error.ts';
import { UsageError } from '../usage-error.ts';
import type { TLS_FLAGS } from './usage/servers.ts';

type TlsFlags = FlagValues<typeof TLS_FLAGS>;

/** Reads a PEM file that a flag names. */
function readPem(flag: string, file: string, check: (text: string) => unknown): string {
  try {
    const text = readFileSync(file, 'utf8');
    check(text);
    return text;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const problem = code === 'ENOENT' ? 'does not exist' : 'is not a readable PEM file of this kind';
    throw new UsageError(`${flag} ${JSON.stringify(file)}: the file ${problem}`);
  }
}

/** Checks these flags; `tls: true`: a certificate is made at the start. Throws UsageError. */
export function tlsOf(flags: TlsFlags): Pick<SimulatorOptions, 'tls' | 'clientCa'> {
  const { 'tls-cert': certFile, 'tls-key': keyFile, 'tls-client-ca': caFile } = flags;
  if ((certFile === undefined) !== (keyFile === undefined))
    throw new UsageError('--tls-cert and --tls-key: both are needed, a certificate and its private key (PEM files)');
  const isServing = flags.tls === true || certFile !== undefined;
  for (const name of ['tls-cert-out', 'tls-client-ca'] as const)
    if (flags[name] !== undefined && !isServing)
      throw new UsageError(`--${name}: needs --tls, or --tls-cert and --tls-key`);
  const clientCa =
    caFile === undefined ? undefined : readPem('--tls-client-ca', caFile, (text) => new X509Certificate(text));
  if (certFile === undefined || keyFile === undefined) return { tls: isServing, clientCa };
  const cert = readPem('--tls-cert', certFile, (text) => new X509Certificate(text));
  const key = readPem('--tls-key', keyFile, (text) => createPrivateKey(text));
  if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(key)))
    throw new UsageError('--tls-key: the key does not belong to the certificate of --tls-cert');
  return { tls: { cert, key }, clientCa };
}

/** Writes the certificate of a running server where `--tls-cert-out` says. Closes the server and throws UsageError if it cannot. */
export async function writeCertificate(flags: TlsFlags, { certificate, close }: Simulator): Promise<void> {
  const file = flags['tls-cert-out'];
  if (file === undefined || certificate === undefined) return;
  await writeNamedFile(file, certificate).catch(async (error: unknown) => {
    await close();
    const reason = systemReason(error);
    throw reason === undefined ? error : new UsageError(`--tls-cert-out ${JSON.stringify(file)}: ${reason}`);
  });
}
