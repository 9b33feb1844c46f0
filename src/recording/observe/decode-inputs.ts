/** Replaces codes in the inputs of observed requests by their meanings, as observed tables state them. */
import type { Profile } from '../../profile/schema.ts';
import { codedInputsOf, withMeanings } from '../../run/coded-values.ts';
import type { MappedTraffic, Observed } from './map-traffic.ts';
import { ResponseIndex } from './response-index.ts';

/** The traffic with meanings in place of codes. A request with a code of unknown meaning is not read. */
export async function decodeInputs(profile: Profile, base: string, traffic: MappedTraffic): Promise<MappedTraffic> {
  const templateOf = ({ operation }: Observed) => profile.data.operations?.[operation]?.request;
  if (!traffic.observed.some((each) => codedInputsOf(templateOf(each), each.inputs).length > 0)) return traffic;
  const index = new ResponseIndex(profile, base, traffic, new Map());
  const observed: Observed[] = [];
  const unread = new Map(traffic.unread);
  for (const each of traffic.observed) {
    const coded = codedInputsOf(templateOf(each), each.inputs);
    const inputs =
      coded.length === 0
        ? each.inputs
        : withMeanings(templateOf(each), each.inputs, await index.codesFor(each.operation));
    if (inputs) {
      observed.push({ ...each, inputs });
      continue;
    }
    const why = `the code of ${coded.map(([input]) => input).join(' or ')}, whose meaning was not observed`;
    unread.set(why, (unread.get(why) ?? 0) + 1);
  }
  return { ...traffic, observed, unread };
}
