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
    "/webservices/getDriveJobStatus": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getDriveJobStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/data-access/v1/Catalogue/Dimension/Rows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["dimensionRows"];
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
    "/RetailMeasurement/v1/BrandPerformance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["brandPerformance"];
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
                /**
                 * @example {
                 *       "address": "1 Main Street",
                 *       "minutes": 10
                 *     }
                 */
                "application/json": {
                    /** @example 1 Main Street */
                    address: string;
                    /** @example 10 */
                    minutes: number;
                };
            };
        };
        responses: {
            /** @description The operation succeeded. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jobId": "job-1-000003"
                     *     }
                     */
                    "application/json": {
                        /** @description the id of a job */
                        jobId: string;
                    };
                };
            };
            /** @description Any other response is an error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getDriveJobStatus: {
        parameters: {
            query: {
                /** @example job-1-000003 */
                jobId: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The operation succeeded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jobId": "job-1-000003",
                     *       "state": "done"
                     *     }
                     */
                    "application/json": {
                        /** @description the id of a job */
                        jobId?: string;
                        /** @description the state of a job */
                        state?: string;
                    };
                };
            };
            /** @description The requested value is not known. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "about:blank",
                     *       "title": "Not known",
                     *       "status": 404,
                     *       "detail": "no jobId \"job-963066751-916700611\""
                     *     }
                     */
                    "application/problem+json": {
                        type?: string;
                        title?: string;
                        status?: number;
                        detail?: string;
                    };
                };
            };
            /** @description Any other response is an error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    dimensionRows: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "catalogueId": "CAT-RETAIL",
                 *       "dimension": "product"
                 *     }
                 */
                "application/json": {
                    /** @description the id of a catalogue */
                    catalogueId: string;
                    /** @description a dimension of the catalogue */
                    dimension: string;
                };
            };
        };
        responses: {
            /** @description The operation succeeded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "asOf": "2026-11-14",
                     *       "query": {
                     *         "catalogueId": "CAT-RETAIL",
                     *         "dimension": "product"
                     *       },
                     *       "items": [
                     *         {
                     *           "id": "row-1",
                     *           "name": "Row 1 of Product (Retail Sales)",
                     *           "parent": "product"
                     *         },
                     *         {
                     *           "id": "row-2",
                     *           "name": "Row 2 of Product (Retail Sales)",
                     *           "parent": "product"
                     *         }
                     *       ],
                     *       "total": 4
                     *     }
                     */
                    "application/json": {
                        /**
                         * Format: date
                         * @description the end date of the windows of the response
                         */
                        asOf?: string;
                        query?: {
                            catalogueId?: string;
                            dimension?: string;
                        };
                        items: {
                            /** @description the id of an item of catalogue metadata, a saved map or a thematic */
                            id: string;
                            /** @description the name of an item of catalogue metadata or of a filter */
                            name: string;
                            /** @description the id or name of the node below which an item of catalogue metadata is listed */
                            parent?: string;
                        }[];
                        total?: number;
                    };
                };
            };
            /** @description Any other response is an error. */
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
                /** @example 042100000177 */
                upc: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The operation succeeded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "upc": "042100000177",
                     *       "description": "Sun Black Tea 250 g",
                     *       "category": "Tea",
                     *       "categoryId": "cat-01",
                     *       "firstActiveOn": "2016-09-04",
                     *       "characteristics": [
                     *         {
                     *           "name": "Brand",
                     *           "value": "Sun"
                     *         },
                     *         {
                     *           "name": "Size",
                     *           "value": "250 g"
                     *         }
                     *       ],
                     *       "asOf": "2026-11-14"
                     *     }
                     */
                    "application/json": {
                        /** @description the UPC of a product */
                        upc: string;
                        description?: string;
                        /** @description the name of a category */
                        category?: string;
                        /** @description an id of a category, if rows contain one in addition to or instead of the name */
                        categoryId?: string;
                        /**
                         * Format: date
                         * @description the date of the first activity of a product, or of the first one after a gap
                         */
                        firstActiveOn: string;
                        characteristics?: {
                            name?: string;
                            value?: string;
                        }[];
                        /**
                         * Format: date
                         * @description the end date of the windows of the response
                         */
                        asOf?: string;
                        /**
                         * Format: date
                         * @description the date a product appeared or its characteristics changed
                         */
                        changedOn?: null | string;
                    };
                };
            };
            /** @description Any other response is an error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateProducts: {
        parameters: {
            query: {
                /** @example 1 */
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
            /** @description The operation succeeded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "asOf": "2026-11-14",
                     *       "weeks": 1,
                     *       "query": {
                     *         "window": 1
                     *       },
                     *       "products": [
                     *         {
                     *           "upc": "660133988943",
                     *           "description": "Müller Green Tea 500 g",
                     *           "category": "Tea",
                     *           "categoryId": "cat-01",
                     *           "subCategory": "Green Tea",
                     *           "manufacturer": "Müller Brüder",
                     *           "brand": "Müller",
                     *           "market": "US",
                     *           "activeOn": "2026-09-19",
                     *           "firstActiveOn": "2026-11-14",
                     *           "changedOn": "2026-11-14",
                     *           "changeKind": "new",
                     *           "characteristics": [
                     *             {
                     *               "name": "Brand",
                     *               "value": "Müller"
                     *             },
                     *             {
                     *               "name": "Size",
                     *               "value": "500 g"
                     *             }
                     *           ]
                     *         },
                     *         {
                     *           "upc": "278167977712",
                     *           "description": "S, J & Co Organic 250 g",
                     *           "category": "Tea",
                     *           "categoryId": "cat-01",
                     *           "subCategory": "Organic",
                     *           "manufacturer": "Smith, Jones",
                     *           "brand": "S, J & Co",
                     *           "market": "US",
                     *           "activeOn": "2025-12-08",
                     *           "firstActiveOn": "2022-01-25",
                     *           "changedOn": "2026-11-08",
                     *           "changeKind": "changed",
                     *           "characteristics": [
                     *             {
                     *               "name": "Brand",
                     *               "value": "S, J & Co"
                     *             },
                     *             {
                     *               "name": "Size",
                     *               "value": "250 g"
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "total": 3
                     *     }
                     */
                    "application/json": {
                        /**
                         * Format: date
                         * @description the end date of the windows of the response
                         */
                        asOf?: string;
                        weeks?: number;
                        query?: {
                            window?: number;
                        };
                        products: {
                            /** @description the UPC of a product */
                            upc: string;
                            description?: string;
                            /** @description the name of a category */
                            category: string;
                            /** @description an id of a category, if rows contain one in addition to or instead of the name */
                            categoryId?: string;
                            subCategory?: string;
                            manufacturer?: string;
                            brand?: string;
                            market?: string;
                            activeOn?: string;
                            firstActiveOn?: string;
                            /**
                             * Format: date
                             * @description the date a product appeared or its characteristics changed
                             */
                            changedOn: string;
                            /** @description the kind of change of a product: new, changed or removed */
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
            /** @description Any other response is an error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    brandPerformance: {
        parameters: {
            query?: {
                category?: string;
                /** @example Cream */
                subCategory?: string;
                manufacturer?: string;
                brand?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The operation succeeded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "asOf": "2026-11-14",
                     *       "query": {
                     *         "subCategory": "Cream"
                     *       },
                     *       "rows": [
                     *         {
                     *           "category": "Milk+Cream",
                     *           "subCategory": "Cream",
                     *           "manufacturer": "5% Club",
                     *           "brand": "Clubhouse",
                     *           "market": "Total US",
                     *           "sales4Weeks": 59574.48,
                     *           "sales12Weeks": 177349.77,
                     *           "sales52Weeks": 766250.59,
                     *           "salesLastYear": 765300.68,
                     *           "percentChange": 0.1
                     *         },
                     *         {
                     *           "category": "Milk+Cream",
                     *           "subCategory": "Cream",
                     *           "manufacturer": "Acme Foods",
                     *           "brand": "Sunny & Bright",
                     *           "market": "Total US",
                     *           "sales4Weeks": 56079.32,
                     *           "sales12Weeks": 163483.8,
                     *           "sales52Weeks": 706772.86,
                     *           "salesLastYear": 697174.26,
                     *           "percentChange": 1.4
                     *         }
                     *       ],
                     *       "total": 3
                     *     }
                     */
                    "application/json": {
                        /**
                         * Format: date
                         * @description the end date of the windows of the response
                         */
                        asOf?: string;
                        query?: {
                            [key: string]: string;
                        };
                        rows: {
                            /** @description the name of a category */
                            category: string;
                            /** @description the name of a sub-category */
                            subCategory: string;
                            /** @description the name of a manufacturer */
                            manufacturer: string;
                            /** @description the name of a brand */
                            brand: string;
                            /** @description the market of the response or row */
                            market: string;
                            /** @description dollar sales of the last 4 weeks */
                            sales4Weeks: number;
                            /** @description dollar sales of the last 12 weeks */
                            sales12Weeks: number;
                            /** @description dollar sales of the last 52 weeks */
                            sales52Weeks: number;
                            /** @description dollar sales of last year */
                            salesLastYear: number;
                            /** @description dollar percentage change */
                            percentChange?: null | number;
                        }[];
                        total?: number;
                    };
                };
            };
            /** @description Any other response is an error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
