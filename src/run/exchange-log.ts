/** The exchanges of a run in the order of their requests, with their ids in findings. */
import type { OperationKey } from '../contract/index.ts';
import { type CurlCredentials, curlCredentialsOf, toCurl } from '../exchange/curl.ts';
import { cutText } from '../exchange/printable.ts';
import { type Exchange, sentStatus } from '../exchange/types.ts';
import type { Profile } from '../profile/schema.ts';
import type { Inputs } from '../profile/template.ts';
import { decodedHead } from '../reading/decode.ts';
import type { SentExchange } from './outages.ts';
import type { ExchangeSummary } from './types.ts';

/** In place of the id of a request that was not sent. */
export const NOT_SENT = 'not sent';

const PREVIEW_CHARACTERS = 600;

/** The curl command of an exchange, with credentials as shell variables, and the beginning of its response. */
export async function detailOf(
  { request, response, body }: Exchange,
  credentials: CurlCredentials,
): Promise<Required<Pick<ExchangeSummary, 'curl' | 'begins'>>> {
  const head = response ? await decodedHead(response, body, PREVIEW_CHARACTERS + 1) : undefined;
  return { curl: toCurl(request, credentials), begins: cutText(new TextDecoder().decode(head), PREVIEW_CHARACTERS) };
}

/** Why an exchange was sent. */
export interface ExchangeOrigin {
  /** The failed exchange whose request it sends again. */
  readonly retryOf?: Exchange | undefined;
  /** The inputs that a list supplied. */
  readonly inputs?: Inputs | undefined;
}

export class ExchangeLog {
  readonly #profile: Profile;
  readonly #credentials = new Map<string | undefined, CurlCredentials>();
  readonly #summaries: ExchangeSummary[] = [];
  readonly #ids = new Map<Exchange, string>();
  readonly #sent = new Map<string, SentExchange & { readonly inputs: Inputs | undefined }>();

  /** @param profile the profile whose credentials become variables in the commands */
  constructor(profile: Profile) {
    this.#profile = profile;
  }

  get summaries(): readonly ExchangeSummary[] {
    return this.#summaries;
  }

  /** All exchanges that were sent, in the order of their requests. */
  get sent(): readonly SentExchange[] {
    return [...this.#sent.values()];
  }

  /** The id of an exchange, e.g. `#12`; undefined for an unknown one. */
  idOf(exchange: Exchange): string | undefined {
    return this.#ids.get(exchange);
  }

  /** The inputs of an exchange that a list supplied. */
  inputsOf(id: string): Inputs | undefined {
    return this.#sent.get(id)?.inputs;
  }

  /** Adds an exchange; one that was not sent gets no number. */
  add(exchange: Exchange, operation: OperationKey, sent: boolean, { retryOf, inputs = {} }: ExchangeOrigin = {}): void {
    const id = sent ? `#${this.#summaries.length + 1}` : NOT_SENT;
    this.#ids.set(exchange, id);
    if (!sent) return;
    const retried = retryOf && this.idOf(retryOf);
    this.#sent.set(id, { id, operation, exchange, inputs: Object.keys(inputs).length > 0 ? inputs : undefined });
    this.#summaries.push({
      id,
      operation,
      method: exchange.request.method,
      url: exchange.request.url,
      ...(exchange.response && { status: sentStatus(exchange.response) }),
      ...(exchange.failure && { failure: exchange.failure.message }),
      ...(exchange.failure?.kind === 'notRecorded' && { notRecorded: true as const }),
      ...(retried !== undefined && { retryOf: retried }),
      bytes: exchange.body.bytes,
      ...(Date.parse(exchange.timing.startedAt) > 0 && { startedAt: exchange.timing.startedAt }),
      ms: Math.round(exchange.timing.totalMs),
    });
  }

  /** The details of an exchange with findings: its curl command, the beginning of its response, and its drawn inputs. */
  async detail(id: string): Promise<Pick<ExchangeSummary, 'curl' | 'begins' | 'inputs'>> {
    const sent = this.#sent.get(id);
    if (!sent) return {};
    const { exchange, inputs } = sent;
    const { authKey } = exchange.request;
    const credentials = this.#credentials.get(authKey) ?? curlCredentialsOf(this.#profile, authKey);
    this.#credentials.set(authKey, credentials);
    return { ...(await detailOf(exchange, credentials)), ...(inputs && { inputs }) };
  }
}
