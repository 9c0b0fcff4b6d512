import {serverWarnings} from '#server/operator/server-status.ts';
import type {WebRoute} from '#server/route.ts';

/** For programs that watch the server: 200, or 503 with the reasons. */
export const healthWebRoutes: readonly WebRoute[] = [
  {
    method: 'GET',
    path: '/health',
    run: async ({server}) => {
      const reasons = serverWarnings(server);
      const isWell = reasons.length === 0;
      return {
        status: isWell ? 200 : 503,
        headers: {'content-type': 'application/json', 'cache-control': 'no-store'},
        body: `${JSON.stringify({status: isWell ? 'ok' : 'failing', reasons})}\n`,
      };
    },
  },
];
