module kontrast

go 1.19
