import { test } from 'vitest';
import { DIALECT_NAMES } from '../../../simulator/dialects/names.ts';
import { expectSoundDraft } from './without-extension.test.support.ts';

test.each(DIALECT_NAMES)('a draft from a description without x-mdwi is sound: %s', expectSoundDraft);
