/** The schemas of template texts: what a request sends where a profile writes a constant, an input or both. */
import { INPUTS, type Input, type OperationKey, operationOf, PAGING_INPUTS } from '../../../contract/index.ts';
import type { PlainObject, Scalar } from '../../plain-object.ts';
import type { RequestTemplate } from '../../schema.ts';
import { INPUT_VARIABLE, inputsIn } from '../../template.ts';

/** Filters and pages: a request without them is valid. */
const OPTIONAL: readonly Input[] = [...PAGING_INPUTS, 'category', 'categoryId', 'subCategory', 'manufacturer', 'brand'];

const WINDOWS = [1, 4, 13];

/** Whether a valid request contains the part: one without inputs is constant. */
export const isRequired = (text: string): boolean => inputsIn(text).every((input) => !OPTIONAL.includes(input));

const unescaped = (text: string): string => text.replaceAll('{{', '{').replaceAll('}}', '}');

/** What a part of a request means, in words. */
function describeInputs(text: string, key: OperationKey): string {
  const inputs = inputsIn(text);
  const means = inputs.map((input) => (input === 'upc' && operationOf(key).group !== 'C' ? 'a UPC' : INPUTS[input]));
  const isSole = inputs.length === 1 && text === `{${inputs[0]}}`;
  return isSole ? (means[0] as string) : `${unescaped(text)}, with ${means.join(', ')}`;
}

/** The wire format of the values of an input; undefined if any text is valid. */
function valuesOf(input: Input, { spellings }: RequestTemplate): readonly Scalar[] | undefined {
  const written: Readonly<Record<string, Scalar>> | undefined = spellings?.[input];
  if (input === 'window') return WINDOWS.map((weeks) => written?.[String(weeks)] ?? weeks);
  return undefined;
}

const isInteger = (values: readonly Scalar[]): boolean => values.every((each) => Number.isInteger(each));

/** The schema of a value of a template, which may mention inputs. */
export function templateSchema(value: Scalar, template: RequestTemplate, key: OperationKey): PlainObject {
  if (typeof value !== 'string') return { type: typeof value, examples: [value] };
  const inputs = inputsIn(value);
  if (inputs.length === 0) return { type: 'string', examples: [unescaped(value)] };
  const description = describeInputs(value, key);
  const [input] = inputs as [Input];
  if (inputs.length > 1 || value.replace(INPUT_VARIABLE, '') !== '') return { type: 'string', description };
  if (['page', 'offset', 'pageSize'].includes(input)) return { type: 'integer', description };
  const values = valuesOf(input, template);
  if (!values) return { type: 'string', description };
  return {
    type: isInteger(values) ? 'integer' : 'string',
    enum: isInteger(values) ? values : values.map(String),
    description,
  };
}
