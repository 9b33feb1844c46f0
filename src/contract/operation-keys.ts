/** Keys of operations that several rules use. The type of `OPERATIONS` checks them. */
import { type OperationKey, operationsOfKind } from './operations.ts';

export const ALL_CATEGORIES = 'GET /PLATFORMAPI/prodRef/v1/allCategories' satisfies OperationKey;
export const ALL_PRODUCTS = 'GET /PLATFORMAPI/prodRef/v1/allProducts' satisfies OperationKey;
export const PRODUCT_LOOKUP = 'GET /PLATFORMAPI/prodRef/v1/products/{upc}' satisfies OperationKey;
export const UPDATE_PRODUCTS = 'GET /PLATFORMAPI/prodRef/v1/updateProducts' satisfies OperationKey;
export const PERFORMANCE_METADATA = 'GET /RetailMeasurement/v1/BrandPerformance/Metadata' satisfies OperationKey;
export const CATEGORY_PERFORMANCE = 'GET /RetailMeasurement/v1/CategoryPerformance' satisfies OperationKey;
export const BRAND_PERFORMANCE = 'GET /RetailMeasurement/v1/BrandPerformance' satisfies OperationKey;
export const REFRESH_DATES = 'POST /data-access/v1/Catalogue/RefreshDates' satisfies OperationKey;

/** The performance operations of group D (section 4.4). */
export const PERFORMANCE_OPERATIONS: readonly OperationKey[] = operationsOfKind('performance');
