import type {Route} from '#server/http/route.ts';

export const subscriptionsRoutes: readonly Route[] = [];
