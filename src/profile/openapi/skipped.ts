/** Lists the parts of a description that a draft omits, each with the reason. */

import { isPlainObject, listMember, memberOf, objectAt, textAt } from '../plain-object.ts';
import { type Description, deref } from './description.ts';
import { addOmission, type DraftNotes } from './draft-notes.ts';
import { quoteText } from './name-words.ts';
import type { DescribedOperation } from './operations.ts';

const HEADERS_OMITTED =
  'the rules read bodies, and only those headers that a field selects; bind one as $response.header.NAME';

/** Keywords of a parameter’s schema that constrain its values. */
const VALUE_KEYWORDS = [
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'uniqueItems',
  'multipleOf',
];

/** Response headers that drafts read: job ids, links to the next page. */
const READ_HEADERS = /^(content-)?location$|job-?id$|^link$/i;

function addOmittedParameters(described: DescribedOperation, sent: ReadonlySet<string>, draftNotes: DraftNotes): void {
  const unsent = described.parameters.filter(
    (each) =>
      textAt(each, 'in') !== 'path' && !sent.has(textAt(each, 'name') ?? '') && memberOf(each, 'required') !== true,
  );
  const named = (place: string) =>
    unsent
      .filter((each) => (textAt(each, 'in') === 'cookie') === (place === 'cookie'))
      .map((each) => textAt(each, 'name'));
  const [others, cookies] = [named('other'), named('cookie')];
  if (others.length > 0)
    addOmission(
      draftNotes,
      `optional parameters of ${described.key} (${quoteText(others.join(', '), 160)})`,
      'they are not inputs of the document, and a valid request can omit them; the defaults of the service apply',
    );
  if (cookies.length > 0)
    addOmission(
      draftNotes,
      `cookies of ${described.key} (${quoteText(cookies.join(', '), 160)})`,
      'write them as headers: { Cookie: NAME=VALUE }',
    );
  const bounded = described.parameters.filter((each) =>
    VALUE_KEYWORDS.some((keyword) => memberOf(memberOf(each, 'schema'), keyword) !== undefined),
  );
  if (bounded.length > 0)
    addOmission(
      draftNotes,
      `bounds of the parameters ${quoteText(bounded.map((each) => textAt(each, 'name')).join(', '), 160)} of ${described.key}`,
      'the suite sends values from examples and responses, which satisfy them',
    );
  const deprecated = described.parameters.filter((each) => memberOf(each, 'deprecated') === true);
  if (deprecated.length > 0)
    addOmission(
      draftNotes,
      `deprecated on parameters of ${described.key} (${quoteText(deprecated.map((each) => textAt(each, 'name')).join(', '), 160)})`,
      'a profile has no such key; remove parameters that the service no longer reads',
    );
}

function addOmittedResponseParts(
  description: Description,
  { key, node }: DescribedOperation,
  draftNotes: DraftNotes,
): void {
  for (const [status, response] of Object.entries(objectAt(node, 'responses'))) {
    const resolved = deref(description, response).node;
    const headers = Object.keys(objectAt(resolved, 'headers')).filter((name) => !READ_HEADERS.test(name));
    if (headers.length > 0)
      addOmission(
        draftNotes,
        `response headers of ${key} for ${status} (${quoteText(headers.join(', '), 160)})`,
        HEADERS_OMITTED,
      );
    if (Object.keys(objectAt(resolved, 'links')).length > 0)
      addOmission(draftNotes, `links of ${key} for ${status}`, 'the rules define which operation follows which');
    const shown = Object.values(objectAt(resolved, 'content')).some(
      (media) => memberOf(media, 'example') !== undefined || memberOf(media, 'examples') !== undefined,
    );
    if (shown && /^2/.test(status))
      addOmission(
        draftNotes,
        `examples of responses of ${key}`,
        'they may be invented; one can be used as response.sample, for the simulator',
      );
  }
}

function addOmittedMediaTypes(
  description: Description,
  { key, node }: DescribedOperation,
  draftNotes: DraftNotes,
): void {
  const body = deref(description, memberOf(node, 'requestBody')).node;
  const types = Object.keys(objectAt(body, 'content'));
  if (types.length > 1)
    addOmission(
      draftNotes,
      `further media types of the body of ${key} (${types.join(', ')})`,
      'a profile sends one media type',
    );
}

/**
 * Lists what the draft omits of servers and operations.
 * @param sent the names in the drafted request, by operation
 */
export function addOmittedParts(
  description: Description,
  found: readonly DescribedOperation[],
  sent: (key: DescribedOperation['key']) => ReadonlySet<string>,
  draftNotes: DraftNotes,
): void {
  const [, ...servers] = listMember(description.root, 'servers').flatMap((each) => textAt(each, 'url') ?? []);
  if (servers.length > 0)
    addOmission(
      draftNotes,
      `further servers (${quoteText(servers.join(', '), 200)})`,
      'the base URL is given on the command line, as --base-url',
    );
  for (const described of found) {
    const { key, node } = described;
    if (memberOf(node, 'deprecated') === true)
      addOmission(
        draftNotes,
        `deprecated on ${key}`,
        'a profile has no such key; remove the operation from implements if it is no longer served',
      );
    if (Object.keys(objectAt(node, 'callbacks')).length > 0)
      addOmission(draftNotes, `callbacks of ${key}`, 'the suite receives no requests');
    const security = memberOf(node, 'security') ?? memberOf(description.root, 'security');
    const alternatives = Array.isArray(security) ? security.filter(isPlainObject) : [];
    if (alternatives.length > 1)
      addOmission(
        draftNotes,
        `alternatives in security of ${key} (${quoteText(alternatives.map((each) => Object.keys(each).join(' and ') || 'none').join(' or '), 160)})`,
        'a profile has one authentication; the first one that it supports is used',
      );
    addOmittedParameters(described, sent(key), draftNotes);
    addOmittedMediaTypes(description, described, draftNotes);
    addOmittedResponseParts(description, described, draftNotes);
  }
  if (memberOf(description.root, 'webhooks') !== undefined)
    addOmission(draftNotes, 'webhooks', 'the suite receives no requests (section 6)');
}
