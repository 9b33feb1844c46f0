/** A profile with ids of one of its catalogues, as those of 0.1.0 are: no rule sends them to another one. */
import { expect, test } from 'vitest';
import { type Answer, judgeService } from '../judge-in-process.test.support.ts';

type Ids = Readonly<Record<string, string>>;
const NAMES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  A: { dimensions: 'Product', attributes: 'Brand', hierarchies: 'Standard', levels: 'Top' },
  B: { dimensions: 'Store', attributes: 'Region', hierarchies: 'Trade', levels: 'Total' },
};

/** The inputs of the operations, below /data-access/v1/Catalogue/. */
const INPUTS: Readonly<Record<string, readonly string[]>> = {
  LogicalDimensions: [],
  'Dimension/Attributes': ['dimension'],
  'Dimension/Hierarchies': ['dimension'],
  'Hierarchy/Levels': ['hierarchy'],
  'Hierarchy/Level/Values': ['hierarchy', 'level'],
  'Measure/SharePrompts': ['measure'],
};

/** Each list has one item, whose id begins with the catalogue; hierarchies are requested by name. */
function listOf(path: string, { catalogue = '', ...ids }: Ids): readonly object[] | undefined {
  const names = NAMES[catalogue];
  const known = Object.entries(ids).every(([input, id]) =>
    input === 'hierarchy' ? id === names?.hierarchies : id.startsWith(`${catalogue}-`),
  );
  if (!names || !known) return undefined;
  const list = (path.split('/').at(-1) ?? '').toLowerCase().replace('logical', '');
  return [{ id: `${catalogue}-${list}`, name: names[list] ?? `${list} of ${catalogue}` }];
}

async function judge(examples: string) {
  const requests: string[] = [];
  const operations = Object.entries(INPUTS).map(([path, inputs]) => {
    const members = ['catalogue: "{catalogueId}"', ...inputs.map((input) => `${input}: "{${input}}"`)].join(', ');
    return `  POST /data-access/v1/Catalogue/${path}:
    request: { json: { ${members} } }
    response: { rows: "$[*]", fields: { id: "@.id", name: "@.name" } }`;
  });
  const profile = `name: t
implements: [${Object.keys(INPUTS).map((path) => `POST /data-access/v1/Catalogue/${path}`)}]
examples: { catalogueId: [A, B], ${examples} }
catalogue: { connected: true }
operations:
${operations.join('\n')}`;
  const service: Answer = ({ key, json }) => {
    const path = key.replace('POST /data-access/v1/Catalogue/', '');
    requests.push(`${path} ${JSON.stringify(json)}`);
    const rows = path in INPUTS ? listOf(path, json) : undefined;
    return rows && [200, rows];
  };
  const { results } = await judgeService(profile, service, { groups: ['B'] });
  return { results, requests };
}

const EXAMPLES = 'dimension: [A-dimensions], attribute: [A-attributes], hierarchy: [Standard], measure: [A-measure]';

test('an id without a catalogue is sent to the first example catalogue only', async () => {
  const { results, requests } = await judge(EXAMPLES);
  expect(requests.filter((each) => each.includes('"catalogue":"B"') && /"A-|Standard/.test(each))).toEqual([]);
  const amiss = results.filter(({ verdict }) => verdict === 'fail' || verdict === 'inconclusive');
  expect(amiss.map(({ rule, operation, verdict, note }) => [rule, operation, verdict, note])).toEqual([]);
  const prompts = results.filter(({ operation }) => operation.endsWith('SharePrompts'));
  expect(prompts.find(({ rule }) => rule === 'B.metadata-stable')?.verdict).toBe('pass');
});

test.each([
  ['byCatalogue: { B: { measure: [B-measure] } }', 'pass', undefined],
  ['dimension: [A-dimensions]', 'untested', expect.stringContaining('examples.byCatalogue.A')],
])('with %s alone, SharePrompts is: %s', async (examples, verdict, note) => {
  const { results } = await judge(examples);
  const stable = results.find(({ rule, operation }) => rule === 'B.metadata-stable' && /SharePrompts/.test(operation));
  expect(stable).toMatchObject({ verdict, ...(note && { note }) });
});
