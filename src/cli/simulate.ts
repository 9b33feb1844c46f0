/** `mdwi simulate`: serves the model simulator until Ctrl-C. */

import { isIP } from 'node:net';
import { isWildcard, machineHosts } from '../../simulator/http/hosts.ts';
import { MissingCertificateMaker } from '../../simulator/http/make-certificate.ts';
import { startSimulatorServer } from '../commands/start-simulator.ts';
import { isLoopback } from '../exchange/url.ts';
import { didYouMean } from '../profile/did-you-mean.ts';
import { EXIT } from '../run/exit-codes.ts';
import { notify } from '../terminal/notify.ts';
import { untilEnded } from '../terminal/server-end.ts';
import { listenError } from '../terminal/system-error.ts';
import { UsageError } from '../usage-error.ts';
import { accessOf } from './access-options.ts';
import { type Command, numberOf, parse } from './parse-flags.ts';
import { tlsOf, writeCertificate } from './tls-options.ts';
import { SIMULATE_FLAGS } from './usage/servers.ts';

const faultNames = async (): Promise<string[]> =>
  (await import('../../simulator/faults/index.ts')).FAULTS.map(({ name }) => name);
const oddityNames = async (): Promise<string[]> =>
  (await import('../../simulator/oddities/index.ts')).ODDITIES.map(({ name }) => name);

function refuseUnknown(flag: string, plural: string, name: string, known: readonly string[]): void {
  if (!known.includes(name))
    throw new UsageError(
      `--${flag} ${name}: there is no such ${flag}${didYouMean(name, known)}; mdwi ${plural} lists them`,
    );
}

/** The addresses by which other machines reach a server that listens on all addresses. */
function reachedBy(host: string, url: string): string {
  const own = new URL(url).host;
  const [port = ''] = /:\d+$/.exec(own) ?? [];
  const names = machineHosts(host).filter((each) => !/^(?:127\.|\[::1\]|\[fe80:)/.test(each));
  return `other machines reach it at ${names.map((each) => url.replace(own, `${each}${port}`)).join(', ')}`;
}

export const simulate: Command = async (args) => {
  const { values } = parse(args, SIMULATE_FLAGS);
  if (values.fault !== undefined) refuseUnknown('fault', 'faults', values.fault, await faultNames());
  if (values.oddity !== undefined) refuseUnknown('oddity', 'oddities', values.oddity, await oddityNames());
  if (values.fault !== undefined && values.oddity !== undefined)
    throw new UsageError('--fault and --oddity: only one of them can be given');
  const asOf = values['as-of'];
  if (asOf !== undefined && (!/^\d{4}-\d{2}-\d{2}$/.test(asOf) || new Date(`${asOf}T00:00:00Z`).getUTCDay() !== 6)) {
    throw new UsageError(
      `--as-of ${asOf}: a Saturday as YYYY-MM-DD is needed: the day on which a data week of the simulator ends`,
    );
  }
  const port = numberOf('port', values.port, 0, 0, 65_535);
  const { host } = values;
  if (host !== undefined && isIP(host) === 0 && host !== 'localhost')
    throw new UsageError(
      `--host ${JSON.stringify(host)}: an IP address of this machine is needed, e.g. 0.0.0.0 for all`,
    );
  const basePath = values['base-path'];
  if (basePath !== undefined && !/^(?:\/[\w.~-]+)+\/?$/.test(basePath))
    throw new UsageError(
      `--base-path ${JSON.stringify(basePath)}: a path is needed that begins with a slash, e.g. /api`,
    );
  const tls = tlsOf(values);
  const controlPort =
    values['control-port'] === undefined ? undefined : numberOf('control-port', values['control-port'], 0, 0, 65_535);
  const token = values['control-token'];
  if (token !== undefined && controlPort === undefined)
    throw new UsageError('--control-token: needs --control-port, e.g. --control-port 0 for any free port');
  if (token === undefined && controlPort !== undefined && host !== undefined && !isLoopback(host))
    throw new UsageError(
      `--control-port: other machines can reach ${host}: protect the control server with --control-token TOKEN`,
    );
  if (port !== 0 && controlPort === port)
    throw new UsageError(`--control-port ${port}: the control server needs another port than --port`);
  if (token === '') throw new UsageError('--control-token: the token must not be empty');
  const simulator = await startSimulatorServer({
    profile: values.profile,
    ...accessOf(values),
    port,
    seed: numberOf('seed', values.seed, 1, 0, 4_294_967_295),
    products: numberOf('products', values.products, 1000, 1, 10_000_000),
    ...{ host, basePath, asOf, fault: values.fault, oddity: values.oddity },
    ...tls,
    ...(controlPort !== undefined && { control: { ...accessOf(values), port: controlPort, token } }),
  }).catch((error: unknown) => {
    if (error instanceof MissingCertificateMaker) throw new UsageError(`--tls: ${error.message}`);
    const isControl = controlPort !== undefined && (error as { port?: unknown }).port === controlPort;
    throw isControl ? listenError(controlPort, error, '--control-port') : listenError(port, error);
  });
  await writeCertificate(values, simulator);
  // Listens before it prints: a client that reads the address may end the server at once.
  const ended = untilEnded(values);
  const control = simulator.controlUrl === undefined ? '' : `control: ${simulator.controlUrl}\n`;
  for (const sentence of simulator.approximations) notify('simulate', sentence);
  if (host !== undefined && isWildcard(host)) notify('simulate', reachedBy(host, simulator.url));
  process.stdout.write(`${simulator.url}\n${control}`);
  await ended;
  await simulator.close();
  return EXIT.ok;
};
