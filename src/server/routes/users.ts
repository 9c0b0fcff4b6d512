import type {Route} from '#server/http/route.ts';

export const usersRoutes: readonly Route[] = [];
