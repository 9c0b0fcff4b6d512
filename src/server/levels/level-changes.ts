import {errorChanges} from './error-changes.ts';
import {eventChanges} from './event-changes.ts';
import type {Change} from './level-change.ts';
import {objectChanges} from './object-changes.ts';
import {requestChanges} from './request-changes.ts';
import {answerChanges} from './response-changes.ts';
import {settingChanges} from './setting-changes.ts';

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
