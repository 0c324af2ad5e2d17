/*! Under construction. */
