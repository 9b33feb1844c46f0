/** Sends the requests of `mdwi profile check --base-url`, and keeps what it receives. */
import type { OperationKey } from '../../../contract/index.ts';
import { isImplemented } from '../../../profile/filled-openings.ts';
import type { Profile } from '../../../profile/schema.ts';
import type { Inputs } from '../../../profile/template.ts';
import { requiredInputsOf } from '../../../rule/declarations.ts';
import { type Receiver, receive } from './receive.ts';
import type { Received } from './types.ts';

export interface Collector {
  readonly profile: Profile;
  readonly received: readonly Received[];
  /** Sends a request, if the profile claims the operation and describes the request completely. */
  send(
    operation: OperationKey,
    inputs?: Inputs,
    about?: Pick<Received, 'source' | 'mustBeUnknown'>,
  ): Promise<Received | undefined>;
  /** Whether the limit of requests is used up; no more is sent then. */
  isLimitReached(): boolean;
}

/** Creates a collector. The source limits the number of requests. */
export function createCollector(receiver: Receiver): Collector {
  const { profile } = receiver;
  const received: Received[] = [];
  let isLimitReached = false;
  return {
    profile,
    received,
    isLimitReached: () => isLimitReached,
    async send(operation, inputs = {}, about = {}) {
      if (isLimitReached || !isImplemented(profile, operation) || !profile.data.operations?.[operation]?.request)
        return undefined;
      if (requiredInputsOf(profile, operation).some((input) => inputs[input] === undefined)) return undefined;
      const response = await receive(receiver, operation, inputs, about);
      // A request over the limit is not sent: it shows nothing about the request.
      isLimitReached = response.failure?.kind === 'budget';
      if (isLimitReached) return undefined;
      received.push(response);
      return response;
    },
  };
}
