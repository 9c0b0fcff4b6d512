import type {WebRoute} from '#server/http/route.ts';
import {avatarWebRoutes, emojiWebRoutes, iconWebRoutes} from '#server/web/images.ts';
import {joinWebRoutes, setPasswordWebRoutes} from '#server/web/join.ts';
import {uploadWebRoutes} from '#server/web/uploads.ts';

/** All routes outside `/api/v1`. */
export const webRoutes: readonly WebRoute[] = [
  ...avatarWebRoutes,
  ...emojiWebRoutes,
  ...iconWebRoutes,
  ...joinWebRoutes,
  ...setPasswordWebRoutes,
  ...uploadWebRoutes,
];
