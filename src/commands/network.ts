/** The way to a service: proxies and certificate authorities. */
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { NetworkOptions } from '../client/agents.ts';
import { flagName, type NamedOptions, type SettingValues } from '../config/settings.ts';
import { HOST_PATTERN, HOST_RULE } from '../exchange/url.ts';
import type { ProxySettings } from '../exchange/wire/proxy.ts';
import { UsageError } from '../usage-error.ts';

/** The values of flags, of options or of the configuration. */
export type NetworkValues = NamedOptions & Pick<SettingValues, 'proxy' | 'ca' | 'follow-to'>;

/** Settings for requests to a service; servers that mdwi starts itself are reached without them. */
export interface Network extends Pick<NetworkOptions, 'proxy' | 'ca' | 'followTo' | 'dispatcherFor' | 'issuer'> {
  /** Credentials in the addresses of the proxies. */
  readonly secrets: readonly string[];
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** The address of a proxy; without a scheme it is `http://`. */
function parseProxy(given: string): URL | undefined {
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(given) ? given : `http://${given}`;
  return URL.parse(text) ?? undefined;
}

/** Why a text is no address of a proxy, without its credentials; undefined if it is one. */
export function whyNoProxy(given: string): string | undefined {
  const url = parseProxy(given);
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '')
    return 'the address of an HTTP proxy is needed, e.g. http://proxy.example:3128';
  return isDecodable(url.username + url.password)
    ? undefined
    : 'the name or password of the proxy has a wrong % sequence: write %25 for %';
}

function proxyAddress(given: string, origin: string): URL {
  const why = whyNoProxy(given);
  if (why !== undefined) throw new UsageError(`${origin}: ${why}`);
  return parseProxy(given) as URL;
}

/**
 * The proxies: that of `--proxy` or the configuration for every request, otherwise those of HTTP_PROXY and HTTPS_PROXY, in
 * either case of letters, except for the hosts of NO_PROXY.
 */
function proxiesOf(
  { proxy: given, nameOf = flagName }: NetworkValues,
  env: NodeJS.ProcessEnv,
): { proxy?: ProxySettings; addresses: URL[] } {
  const fromEnv = (name: string): URL | undefined => {
    const value = env[name.toLowerCase()] || env[name];
    return value ? proxyAddress(value, name) : undefined;
  };
  const [http, https] =
    given === undefined
      ? [fromEnv('HTTP_PROXY'), fromEnv('HTTPS_PROXY')]
      : [proxyAddress(given, nameOf('proxy')), proxyAddress(given, nameOf('proxy'))];
  if (!http && !https) return { addresses: [] };
  const noProxy = given === undefined ? (env.no_proxy ?? env.NO_PROXY ?? '') : '';
  return {
    proxy: { ...(http && { http: http.href }), ...(https && { https: https.href }), noProxy },
    addresses: [http, https].filter((each) => each !== undefined),
  };
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g;

/** Reads and checks a file of certificate authorities. */
function readAuthorities(file: string, name: string): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${name}: ${file} cannot be read (${(error as Error).message})`);
  }
  const certificates = text.match(CERTIFICATE) ?? [];
  if (certificates.length === 0)
    throw new UsageError(
      `${name} ${file}: there is no certificate in PEM form (-----BEGIN CERTIFICATE-----); openssl x509 -inform der -in FILE -out FILE.pem converts a binary one`,
    );
  for (const [at, certificate] of certificates.entries()) {
    try {
      new X509Certificate(certificate);
    } catch (error) {
      throw new UsageError(`${name} ${file}: certificate ${at + 1} is damaged (${(error as Error).message})`);
    }
  }
  return certificates.join('\n');
}

/**
 * Reads and checks the settings for requests to a service. Throws UsageError.
 * @example networkOf({ proxy: 'http://proxy.example:3128' }).proxy?.https // 'http://proxy.example:3128/'
 */
export function networkOf(values: NetworkValues, env: NodeJS.ProcessEnv = process.env): Network {
  const { ca, 'follow-to': followTo, nameOf = flagName } = values;
  for (const host of followTo ?? [])
    if (!HOST_PATTERN.test(host)) throw new UsageError(`${nameOf('follow-to')}: ${HOST_RULE}`);
  const { proxy, addresses } = proxiesOf(values, env);
  const credentials = addresses.flatMap(({ username, password }) => [username, password].filter((each) => each !== ''));
  return {
    ...(proxy && { proxy }),
    ...(ca !== undefined && { ca: readAuthorities(ca, nameOf('ca')) }),
    ...(followTo && { followTo }),
    secrets: credentials.flatMap((each) => [each, decodeURIComponent(each)]),
  };
}

/** The settings for requests to a simulator. */
export const simulatorNetwork = (url: string): Network => ({ secrets: [], issuer: new URL(url).origin });

/** The same settings, but a server that mdwi itself started is reached without a proxy. */
export function withDirectHost(network: Network, origin: string): Network {
  const { proxy } = network;
  return proxy ? { ...network, proxy: { ...proxy, noProxy: `${proxy.noProxy},${new URL(origin).host}` } } : network;
}
