/** The example values of an input: a value of group B belongs to a catalogue, and may belong to one operation. */
import type { Input, OperationKey } from '../contract/index.ts';
import type { ProfileData } from './schema.ts';
import type { InputValue } from './template.ts';

/** Where an example is sent: some values exist only in one catalogue or for one operation. */
export interface ExampleUse {
  readonly operation?: OperationKey | undefined;
  readonly catalogueId?: InputValue | undefined;
}

/**
 * The example values of an input, the most specific ones that the profile states: of the operation and the catalogue, of
 * the operation, of the catalogue, of all. Empty if the profile states none.
 * @example exampleValuesOf(data, 'measure', { catalogueId: 'CAT-PANEL' })
 */
export function exampleValuesOf(
  { examples, operations }: Pick<ProfileData, 'examples' | 'operations'>,
  input: Input,
  { operation, catalogueId }: ExampleUse = {},
): readonly InputValue[] {
  const ofOperation = operation && operations?.[operation]?.examples;
  const catalogue = catalogueId === undefined ? '' : String(catalogueId);
  return (
    ofOperation?.byCatalogue?.[catalogue]?.[input] ??
    ofOperation?.[input] ??
    examples?.byCatalogue?.[catalogue]?.[input] ??
    examples?.[input] ??
    []
  );
}

/**
 * The example values of an input that exist in a catalogue. Values that the profile states without a catalogue are those of
 * the first example catalogue: in another one they may not exist.
 */
export function exampleValuesIn(
  data: Pick<ProfileData, 'examples' | 'operations'>,
  input: Input,
  operation: OperationKey,
  catalogueId: InputValue | undefined,
): readonly InputValue[] {
  const [first] = exampleValuesOf(data, 'catalogueId', { operation });
  if (String(first) === String(catalogueId)) return exampleValuesOf(data, input, { operation, catalogueId });
  const { examples, operations } = data;
  const [ofOperation, ofAll] = [operations?.[operation]?.examples, examples].map(
    (each) => each?.byCatalogue?.[String(catalogueId)]?.[input],
  );
  return ofOperation ?? ofAll ?? [];
}

/** All example values of an input, of every operation and catalogue, each once. */
export function allExamplesOf(
  { examples, operations }: Pick<ProfileData, 'examples' | 'operations'>,
  input: Input,
): readonly InputValue[] {
  const sources = [examples, ...Object.values(operations ?? {}).map((each) => each?.examples)];
  return [
    ...new Set(
      sources.flatMap((source) => [
        ...(source?.[input] ?? []),
        ...Object.values(source?.byCatalogue ?? {}).flatMap((each) => each[input] ?? []),
      ]),
    ),
  ];
}
