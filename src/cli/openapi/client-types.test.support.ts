export interface paths {
    "/webservices/drive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["drive"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/PLATFORMAPI/prodRef/v1/products/{upc}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["products"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/PLATFORMAPI/prodRef/v1/updateProducts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["updateProducts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: never;
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    drive: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    address: string;
                    minutes: number;
                };
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        jobId: string;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    products: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                upc: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        upc: string;
                        description?: string;
                        category?: string;
                        categoryId?: string;
                        subCategory?: string;
                        firstActiveOn: string;
                        characteristics?: {
                            name?: string;
                            value?: string;
                        }[];
                        asOf?: string;
                        changedOn?: null | string;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        type?: string;
                        title?: string;
                        status?: number;
                        detail?: string;
                    };
                };
            };
        };
    };
    updateProducts: {
        parameters: {
            query: {
                weeks: 1 | 4 | 13;
                category?: string;
                categoryId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        asOf?: string;
                        weeks?: number;
                        query?: {
                            window?: number;
                        };
                        products: {
                            upc: string;
                            description?: string;
                            category: string;
                            categoryId?: string;
                            subCategory?: string;
                            manufacturer?: string;
                            brand?: string;
                            market?: string;
                            activeOn?: string;
                            firstActiveOn?: string;
                            changedOn: string;
                            changeKind?: string;
                            characteristics?: {
                                name?: string;
                                value?: string;
                            }[];
                        }[];
                        total?: number;
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": {
                        type?: string;
                        title?: string;
                        status?: number;
                        detail?: string;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
