/** Puts what the bindings of a profile state into an inferred schema: which values are fields, required or nullable. */
import { FIELDS, type Field } from '../../../contract/index.ts';
import { EVERY, type PathStep } from '../../path-steps.ts';
import type { Scalar } from '../../plain-object.ts';
import type { FieldBinding, ResponseProfile } from '../../schema.ts';
import { compileSelector, type SelectorSource } from '../../selector.ts';
import { type InferredSchema, itemSchema, mapValueSchema, memberSchema } from './infer-schema.ts';

/** The steps of a selector that is a path of names, indexes and wildcards; undefined for any other. */
const stepsOf = (source: SelectorSource | undefined): readonly PathStep[] | undefined =>
  typeof source === 'string' && !source.startsWith('$response.') ? compileSelector(source).steps : undefined;

/** The schema below another one by one step; what the observed bodies do not contain is added. */
function schemaBelow(parent: InferredSchema, step: PathStep): InferredSchema {
  if (typeof step === 'string') {
    if (parent.types.size === 0) parent.types.add('object');
    return memberSchema(parent, step);
  }
  if (step === EVERY && parent.types.has('object') && !parent.types.has('array')) return mapValueSchema(parent);
  parent.types.add('array');
  if (step === EVERY) parent.isRepeated = true;
  return itemSchema(parent);
}

/** The schemas along a path, the last one that of its end. */
function schemasAlong(root: InferredSchema, steps: readonly PathStep[]): InferredSchema[] {
  const along = [root];
  for (const step of steps) along.push(schemaBelow(along.at(-1) as InferredSchema, step));
  return along;
}

const isXmlLeaf = (step: PathStep | undefined): boolean => typeof step === 'string' && /^@|^#text$/.test(step);

function annotateField(
  root: InferredSchema,
  steps: readonly PathStep[],
  field: Field,
  binding: FieldBinding,
  isXml: boolean,
  states: readonly Scalar[] | undefined,
): void {
  const path = isXml && !isXmlLeaf(steps.at(-1)) ? [...steps, '#text'] : steps;
  const along = schemasAlong(root, path);
  const end = along.at(-1) as InferredSchema;
  const { kind, means } = FIELDS[field];
  end.annotations.description ??= means;
  // A pattern or a converter reads a part of the text.
  if (field === 'state' && states && binding.match === undefined && binding.as === undefined)
    end.annotations.enum = [...states];
  if (end.types.size === 0) end.types.add('string');
  if (binding.nullable) end.types.add('null');
  const [format] = end.formats ?? [];
  if (kind === 'date' && format !== undefined) end.annotations.format ??= format;
  if (!binding.required) return;
  for (const [at, step] of path.entries()) if (typeof step === 'string') along[at]?.required.add(step);
}

/**
 * Annotates the schema of a successful body with the bindings of the response.
 * @param states the states that a job can have, if the profile lists them
 */
export function annotateSchema(
  root: InferredSchema,
  { rows, shape, fields = {} }: ResponseProfile,
  isXml: boolean,
  states?: readonly Scalar[],
): void {
  for (const list of typeof rows === 'object' ? Object.values(rows) : [rows]) {
    const rowSteps = stepsOf(list);
    if (rowSteps) schemasAlong(root, rowSteps);
    for (const [field, binding] of Object.entries(fields) as [Field, FieldBinding][]) {
      const steps = stepsOf(binding.at);
      if (!steps || binding.keys) continue;
      const isInRow = String(binding.at).startsWith('@');
      if (!isInRow) annotateField(root, steps, field, binding, isXml, states);
      // A shape makes rows of nodes, so that paths within a row are none within the body.
      else if (rowSteps && !shape) annotateField(root, [...rowSteps, ...steps], field, binding, isXml, states);
    }
  }
}
