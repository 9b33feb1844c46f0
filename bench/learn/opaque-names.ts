/**
 * Renames members and parameters of a drawn service to words that no list contains. The words of the drawn services are
 * known to the authors of the learner; names of real services often are not.
 */
import { isPlainObject, type PlainObject } from '../../src/profile/plain-object.ts';
import { inputsIn } from '../../src/profile/template.ts';

const SYLLABLES = ['ba', 'ko', 'ru', 'zi', 'fe', 'mu', 'lo', 'ti', 'va', 'ne', 'pu', 'ga'];
/** A step of a selector with the name of a member. */
const STEP = /\.([A-Za-z_]\w*)|\['(#?)([^']+)'\]/g;
/** Names that are not words: windows side by side, and the pairs of a name with its value. */
const KEPT = /^(?:w\d+|value)$/;
const REQUEST_PARTS = ['query', 'json', 'form'];

const hashOf = (text: string): number =>
  [...text].reduce((hash, letter) => (hash * 31 + letter.charCodeAt(0)) % 1_000_003, 7);

/** The new name, equal for equal names of one service. */
function opaqueName(name: string, percent: number, service: string): string {
  const hash = hashOf(`${service} ${name}`);
  if (KEPT.test(name) || hash % 100 >= percent) return name;
  const [prefix = ''] = /^\w+:/.exec(name) ?? [];
  const syllables = [7, 89, 1009, 12_007].map((step) => SYLLABLES[Math.floor(hash / step) % SYLLABLES.length]);
  return `${prefix}${syllables.join('')}`;
}

/** The profile of a service with new names for some percent of them. */
export function withOpaqueNames(profile: PlainObject, percent: number): PlainObject {
  const rename = (name: string) => opaqueName(name, percent, String(profile.name));
  const renameSteps = (selector: string): string =>
    selector.startsWith('$response.header')
      ? selector
      : selector.replace(STEP, (whole, plain?: string, mark?: string, quoted?: string) =>
          plain !== undefined
            ? whole === '.line'
              ? whole
              : `.${rename(plain)}`
            : `['${mark}${rename(quoted as string)}']`,
        );
  const selectors = (node: unknown): unknown => {
    if (typeof node === 'string') return /^[$@]/.test(node) ? renameSteps(node) : node;
    if (Array.isArray(node)) return node.map(selectors);
    return isPlainObject(node) ? mapped(node, (each) => selectors(each)) : node;
  };
  const template = (node: unknown): unknown => {
    if (Array.isArray(node) || !isPlainObject(node)) return node;
    return Object.fromEntries(
      Object.entries(node).map(([name, each]) =>
        inputsIn(JSON.stringify(each)).length > 0 ? [rename(name), template(each)] : [name, each],
      ),
    );
  };
  const operation = (declared: unknown): unknown => {
    if (!isPlainObject(declared)) return declared;
    const { request, response } = declared;
    return {
      ...declared,
      ...(isPlainObject(request) && {
        request: mapped(request, (each, part) => (REQUEST_PARTS.includes(part) ? template(each) : each)),
      }),
      ...(isPlainObject(response) && {
        response: mapped(response, (each, key) => (key === 'refusal' ? each : selectors(each))),
      }),
    };
  };
  return { ...profile, operations: mapped(profile.operations as PlainObject, operation) };
}

const mapped = (node: PlainObject, change: (value: unknown, name: string) => unknown): PlainObject =>
  Object.fromEntries(Object.entries(node).map(([name, each]) => [name, change(each, name)]));
