import { test } from 'vitest';
import { expectSoundDraft } from './without-extension.test.support.ts';

test.each(['reference', 'terse'] as const)('a draft from a description without x-mdwi is sound: %s', expectSoundDraft);
