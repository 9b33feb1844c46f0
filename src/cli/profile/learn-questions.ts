/** Asks the questions that learning leaves, on a terminal. */
import { counted } from '../../format-values.ts';
import type { Learned, ProfilePath, Question } from '../../learn/types.ts';
import { describeQuestion } from '../../learn/write/sentences.ts';
import { isPlainObject, memberOf, type PlainObject } from '../../profile/plain-object.ts';
import { UsageError } from '../../usage-error.ts';
import type { Ask } from '../init/ask.ts';
import { rulesUnlockedBy } from './learn-report.ts';

/** A copy of a part of a profile with a value at a path. */
function withValue(tree: unknown, [step, ...rest]: ProfilePath, value: unknown): unknown {
  if (step === undefined) return value;
  if (Array.isArray(tree)) return tree.with(Number(step), withValue(tree[Number(step)], rest, value));
  // A binding without options is its selector.
  const members = isPlainObject(tree) ? tree : typeof tree === 'string' ? { at: tree } : {};
  return { ...members, [step]: withValue(memberOf(members, String(step)), rest, value) };
}

/** What is learned with the answer of a person, by its index. */
function withAnswer(learned: Learned, question: Question, index: number): Learned {
  const answers = [
    { path: question.path, values: question.rivals.map(({ value }) => value) },
    ...(question.also ?? []),
  ];
  return {
    ...learned,
    profile: answers.reduce<unknown>(
      (profile, { path, values }) => withValue(profile, path, values[index]),
      learned.profile,
    ) as PlainObject,
    settled: [...learned.settled, ...answers.map(({ path }) => ({ path, evidence: 'answered by hand' }))],
    questions: learned.questions.filter((each) => each !== question),
  };
}

/**
 * Asks each question: a number selects a value, an empty answer leaves the question in the file.
 * @param onAnswer receives what is known after each answer, so that an interruption loses nothing
 */
export async function askQuestions(
  learned: Learned,
  ask: Ask,
  onAnswer: (learned: Learned) => void,
  showValues?: boolean,
): Promise<void> {
  let known = learned;
  for (const [at, question] of learned.questions.entries()) {
    const { title, also, rivals } = describeQuestion(question, { showValues, unlocks: rulesUnlockedBy });
    const lines = [...also, ...rivals.map((rival, index) => `  ${index + 1}) ${rival}`)];
    const answer = await ask({
      text: `\n${at + 1} of ${counted(learned.questions.length, 'question')}: ${title}\n${lines.join('\n')}\nNumber, or Enter to decide later`,
      check(text) {
        if (text !== '' && !question.rivals[Number(text) - 1])
          throw new UsageError(`a number from 1 to ${rivals.length} is needed`);
      },
    });
    if (answer === '') continue;
    known = withAnswer(known, question, Number(answer) - 1);
    onAnswer(known);
  }
}
