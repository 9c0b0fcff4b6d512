import type {WebRoute} from './http/route.ts';
import {avatarWebRoutes} from './web/avatars.ts';
import {emojiWebRoutes} from './web/emoji.ts';
import {iconWebRoutes} from './web/icon.ts';
import {joinWebRoutes} from './web/join.ts';
import {setPasswordWebRoutes} from './web/set-password.ts';
import {uploadWebRoutes} from './web/uploads.ts';

/** All routes outside `/api/v1`. */
export const webRoutes: readonly WebRoute[] = [
  ...avatarWebRoutes,
  ...emojiWebRoutes,
  ...iconWebRoutes,
  ...joinWebRoutes,
  ...setPasswordWebRoutes,
  ...uploadWebRoutes,
];
