import type {Route} from '#server/http/route.ts';

export const sendingRoutes: readonly Route[] = [];
