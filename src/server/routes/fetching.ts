import type {Route} from '#server/http/route.ts';

export const fetchingRoutes: readonly Route[] = [];
