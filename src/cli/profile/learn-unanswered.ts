/** Why no operation of a service answers: what one request gets. */
import { createLiveSource } from '../../client/live-source.ts';
import type { Network } from '../../commands/network.ts';
import { buildRequest } from '../../exchange/request.ts';
import { clientAuthOf } from '../../profile/auth-schemes.ts';
import type { Profile } from '../../profile/schema.ts';

const OPERATION = 'GET /PLATFORMAPI/prodRef/v1/allCategories';

/** Sends one request more, and says what it gets. */
export async function whyUnanswered(base: string, profile: Profile, network: Network): Promise<string> {
  const source = createLiveSource({ ...profile.data.limits, ...network, base, ...clientAuthOf(profile.data) });
  try {
    const { response, failure } = await source.send(buildRequest(base, OPERATION, profile, {}, { request: {} }));
    if (!response) return `${OPERATION} gets no response: ${failure?.message}`;
    const isDenied = response.status === 401 || response.status === 403;
    const hint = isDenied ? ': state the credentials at auth of a profile, and give it with --profile' : '';
    return `${OPERATION} gets status ${response.status}${hint}`;
  } finally {
    await source.close();
  }
}
