import {answerChanges} from './answers.ts';
import type {Change} from './change.ts';
import {errorChanges} from './errors.ts';
import {eventChanges} from './events.ts';
import {objectChanges} from './objects.ts';
import {requestChanges} from './requests.ts';
import {settingChanges} from './settings.ts';

/**
 * Every way an older server differs that a client can notice, newest first. What is missing altogether (endpoints,
 * parameters) follows from the since-levels of the endpoint table and is not repeated here.
 */
export const changes: readonly Change[] = [
  ...objectChanges,
  ...settingChanges,
  ...answerChanges,
  ...eventChanges,
  ...errorChanges,
  ...requestChanges,
].sort((a, b) => b.level - a.level);
