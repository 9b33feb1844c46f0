/** Protects services from unattended runs: beyond `read` they need an allowed host. */

import { flagName, type NamedOptions } from '../config/settings.ts';
import type { Safety } from '../contract/index.ts';
import { isLoopback, namesHost } from '../exchange/url.ts';
import { UsageError } from '../usage-error.ts';

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
  if (allowHosts.some((each) => namesHost(each, url))) return;
  throw new UsageError(
    `the safety class ${safety} is refused for ${url.host}, because the run is unattended (${because}) and the host is not allowed: add it to allowHosts of the configuration, give ${nameOf('allow-target-host')} ${url.host}, or use ${nameOf('safety')} read`,
  );
}
