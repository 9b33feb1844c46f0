/** Determines the neutral input of a parameter or a member of a body. */
import type { Input } from '../../contract/index.ts';
import type { Confidence } from './draft-notes.ts';
import { looksLikeId } from './fields.ts';
import { joinWords, quoteText } from './name-words.ts';
import type { Parameter } from './parameters.ts';
import type { ResolvedSchema } from './resolved-schema.ts';
import { INPUT_WORDS, matchScore } from './vocabulary.ts';
import { windowSpellings } from './windows.ts';

/** What is known about an operation when the meaning of one of its parameters is determined. */
export interface InputContext {
  /** Names of the row's category values, by field. */
  readonly categoryNames: { readonly category?: string; readonly categoryId?: string };
  readonly parameters?: readonly Pick<Parameter, 'name' | 'required'>[];
}

export interface InputCandidate {
  readonly name: string;
  readonly schema: ResolvedSchema;
  readonly description: string;
  readonly examples: readonly unknown[];
  readonly required: boolean;
}

export type InputMeaning =
  | { readonly input: Input; readonly confidence: Confidence; readonly reason: string }
  | { readonly doubt: string };

/**
 * Returns the input that matches a name best; `open` if the match is ambiguous, undefined if none matches.
 *
 * @example inputOf({ name: 'cat', … }, ['category', 'categoryId'], context) // category or categoryId, by its description
 */
export function inputOf(
  candidate: InputCandidate,
  inputs: readonly Input[],
  context: InputContext,
): InputMeaning | undefined {
  const name = joinWords(candidate.name);
  // `filter[category]` is matched by the name in brackets too, `X-Window` by the name after the X.
  const names = [
    name,
    joinWords(/\[([^\]]+)\]$/.exec(candidate.name)?.[1] ?? ''),
    joinWords(candidate.name.replace(/^x-/i, '')),
  ];
  if (candidate.schema.format === 'date' || candidate.schema.format === 'date-time') {
    if (inputs.includes('window') && matchScore(INPUT_WORDS.window, name) > 0)
      return {
        doubt: `${candidate.name} takes a date; a template sends windows, not relative dates: use a fixed spelling per window, or a TypeScript profile`,
      };
    return undefined;
  }
  if (/^(\$|odata)?(filters?|query|q|where|expr(ession)?|criteria|condition|predicate|search)$/.test(name)) {
    return inputs.some((input) => ['category', 'brand'].includes(input))
      ? {
          doubt: `${candidate.name} takes an expression: write it as { join, clauses } (see Requests in node_modules/mdwi-conformance/docs/profile.md); ${quoteText(candidate.description)}`,
        }
      : undefined;
  }
  const [best, second] = inputs
    .map((input) => ({ input, fit: Math.max(...names.map((each) => matchScore(INPUT_WORDS[input], each))) }))
    .filter(({ fit }) => fit > 0)
    .sort((x, y) => y.fit - x.fit);
  const quoted = candidate.description ? ` (${quoteText(candidate.description, 60)})` : '';
  if (!best) {
    if (inputs.includes('window') && windowSpellings(candidate.schema.enumValues))
      return { input: 'window', confidence: 'likely', reason: `the values of ${candidate.name}${quoted}` };
    if (inputs.includes('window') && INPUT_WORDS.window?.inDescription?.test(candidate.description))
      return { input: 'window', confidence: 'likely', reason: `the description of ${candidate.name}${quoted}` };
    const others = context.parameters?.filter((each) => each.required) ?? [];
    return inputs[0] === 'jobId' && candidate.required && others.length === 1
      ? {
          input: 'jobId',
          confidence: 'unsure',
          reason: `the one required parameter of a job status, ${candidate.name}${quoted}`,
        }
      : undefined;
  }
  if (best.input === 'category' || best.input === 'categoryId')
    return categoryOf(candidate, names, best.fit, inputs, context, quoted);
  if (second && second.fit === best.fit)
    return { doubt: `${candidate.name} may mean ${best.input} or ${second.input}` };
  return { input: best.input, confidence: 'likely', reason: `the name ${candidate.name}${quoted}` };
}

/** Names and ids of categories often share a name, and a filter by the wrong one finds nothing, so evidence is required. */
function categoryOf(
  candidate: InputCandidate,
  names: readonly string[],
  fit: number,
  inputs: readonly Input[],
  { categoryNames: rows }: InputContext,
  quoted: string,
): InputMeaning | undefined {
  const fitAs = (input: Input) => Math.max(...names.map((each) => matchScore(INPUT_WORDS[input], each)));
  const takesId = inputs.includes('categoryId');
  const from = `the name ${candidate.name}${quoted}`;
  const isId = fitAs('categoryId') > fitAs('category');
  if (
    isId ||
    looksLikeId({ schema: { ...candidate.schema, description: candidate.description, examples: candidate.examples } })
  )
    return takesId
      ? { input: 'categoryId', confidence: 'likely', reason: from }
      : { doubt: `${candidate.name} takes the id of a category, but rows of this operation have category names` };
  if (names.some((each) => /name|label|title/.test(each)) || /\bname\b/i.test(candidate.description))
    return { input: 'category', confidence: 'likely', reason: from };
  if (
    rows.category !== undefined &&
    (rows.categoryId === undefined ||
      names.some((each) => each.replace(/^(filter|by|product)/, '') === joinWords(rows.category ?? '')))
  )
    return { input: 'category', confidence: 'likely', reason: `${from}, because rows contain ${rows.category}` };
  if (rows.categoryId !== undefined && rows.category === undefined && takesId)
    return {
      input: 'categoryId',
      confidence: 'likely',
      reason: `${from}, because rows contain only ${rows.categoryId}`,
    };
  if (fit === 3 && !takesId) return { input: 'category', confidence: 'likely', reason: from };
  if (rows.categoryId !== undefined)
    return { doubt: `${candidate.name} may take the name or the id of a category${quoted}` };
  return {
    doubt: `${candidate.name} may take the name of a category${quoted}: write “{category}”, or “{categoryId}” for its id`,
  };
}
