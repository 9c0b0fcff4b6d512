import {errorChanges} from './error-changes.ts';
import {eventChanges} from './event-changes.ts';
import type {LevelChange} from './level-change.ts';
import {objectChanges} from './object-changes.ts';
import {requestChanges} from './request-changes.ts';
import {responseChanges} from './response-changes.ts';
import {settingChanges} from './setting-changes.ts';

/**
 * Every difference of older servers that a client can notice, newest first. Endpoints and parameters that older servers
 * do not have follow from the `since` levels of the endpoint table and are not repeated here.
 */
export const levelChanges: readonly LevelChange[] = [
  ...objectChanges,
  ...settingChanges,
  ...responseChanges,
  ...eventChanges,
  ...errorChanges,
  ...requestChanges,
].sort((a, b) => b.level - a.level);
