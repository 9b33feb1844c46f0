/** Protects services from unattended runs: beyond `read` they need an allowed host. */
import { BlockList, isIP } from 'node:net';
import type { Safety } from '../contract/index.ts';
import { UsageError } from '../usage-error.ts';
import { flagName, type NamedOptions } from './option-names.ts';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8);
LOOPBACK.addAddress('::1', 'ipv6');

function isLoopback(hostname: string): boolean {
  const address = hostname.replace(/^\[|\]$/g, '');
  const version = isIP(address);
  if (version === 0) return /^(?:.+\.)?localhost\.?$/i.test(address);
  return LOOPBACK.check(address, version === 6 ? 'ipv6' : 'ipv4');
}

/** Whether a host with or without a port, or `*.DOMAIN`, allows an address. */
function allows(pattern: string, { hostname, host, port, protocol }: URL): boolean {
  const allowed = pattern.toLowerCase();
  const withPort = port === '' ? `${host}:${protocol === 'https:' ? 443 : 80}` : host;
  const candidates = [hostname, withPort];
  return allowed.startsWith('*.')
    ? candidates.some((each) => each.endsWith(allowed.slice(1)))
    : candidates.includes(allowed);
}

/** Who is there to stop a run; undefined: a person at a terminal. */
function unattendedBecause(env: NodeJS.ProcessEnv, isTerminal: boolean): string | undefined {
  if (env.CI !== undefined && !['', '0', 'false'].includes(env.CI)) return 'CI is set';
  return isTerminal ? undefined : 'standard input is no terminal';
}

export interface UnattendedRequest extends NamedOptions {
  readonly base: string;
  readonly safety: Safety;
  /** Hosts of the configuration and the command line. */
  readonly allowHosts?: readonly string[] | undefined;
  readonly env?: NodeJS.ProcessEnv;
  readonly isTerminal?: boolean;
}

/**
 * Refuses an unattended run that may change something on a host that is neither allowed nor the loopback interface.
 * @throws UsageError
 * @example refuseUnattended({ base: 'https://staging.example', safety: 'job', allowHosts: ['staging.example'] })
 */
export function refuseUnattended({
  base,
  safety,
  allowHosts = [],
  env = process.env,
  isTerminal = process.stdin.isTTY === true,
  nameOf = flagName,
}: UnattendedRequest): void {
  const because = unattendedBecause(env, isTerminal);
  const url = new URL(base);
  if (safety === 'read' || because === undefined || isLoopback(url.hostname)) return;
  if (allowHosts.some((each) => allows(each, url))) return;
  throw new UsageError(
    `the safety class ${safety} is refused for ${url.host}, because the run is unattended (${because}) and the host is not allowed: add it to allowHosts of the configuration, give ${nameOf('allow-target-host')} ${url.host}, or use ${nameOf('safety')} read`,
  );
}
