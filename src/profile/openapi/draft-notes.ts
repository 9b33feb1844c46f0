/** The notes of a draft: a comment for each guess, and a list of undecided openings. */

/** How certain a drafted value is: the description states it, its names suggest it (`likely`), or it is a guess (`unsure`). */
export type Confidence = 'stated' | 'likely' | 'unsure';

export interface Note {
  /** The path of the key in the profile. */
  readonly at: readonly string[];
  readonly text: string;
}

export interface Undecided {
  /** The key of the profile that must be filled. */
  readonly opening: string;
  readonly why: string;
}

export interface DraftNotes {
  readonly notes: Note[];
  readonly undecided: Undecided[];
  /** Remarks for the author that belong to no key of the profile. */
  readonly remarks: string[];
}

export const createDraftNotes = (): DraftNotes => ({ notes: [], undecided: [], remarks: [] });

/** @example note(draftNotes, ['auth'], 'stated', 'securitySchemes.key') // auth: # stated: securitySchemes.key */
export function note(draftNotes: DraftNotes, at: readonly string[], confidence: Confidence, text: string): void {
  draftNotes.notes.push({ at, text: `${confidence}: ${text}` });
}

/** @example addUndecided(draftNotes, ['operations', KEY, 'request'], 'the parameter region is required and shows no value') */
export function addUndecided(draftNotes: DraftNotes, at: readonly string[], why: string): void {
  const opening = at
    .map((step, index) => (/^\w+$/.test(step) ? `${index > 0 ? '.' : ''}${step}` : `["${step}"]`))
    .join('');
  if (draftNotes.undecided.some((each) => each.opening === opening && each.why === why)) return;
  draftNotes.undecided.push({ opening, why });
}
