/** The flags that say which clients a local server accepts. */
import { isOrigin, ORIGIN_FORM } from '../../simulator/http/cors.ts';
import { isHost } from '../../simulator/http/hosts.ts';
import type { Access } from '../../simulator/http/local-server.ts';
import type { FlagValues } from '../config/flag.ts';
import { UsageError } from '../usage-error.ts';
import type { ACCESS_FLAGS } from './usage/servers.ts';

/** Checks these flags. Throws UsageError. */
export function accessOf(values: FlagValues<typeof ACCESS_FLAGS>): Access {
  const { 'allow-host': allowHosts = [], cors = [] } = values;
  for (const host of allowHosts)
    if (!isHost(host))
      throw new UsageError(
        `--allow-host ${JSON.stringify(host)}: a host name or address is needed, with or without a port, e.g. ci.example or 10.0.0.7:9000`,
      );
  for (const origin of cors)
    if (!isOrigin(origin)) throw new UsageError(`--cors ${JSON.stringify(origin)}: ${ORIGIN_FORM}`);
  return { allowHosts, cors };
}
